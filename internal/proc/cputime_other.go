//go:build !unix

package proc

import "time"

// began is when the process began.
var began = time.Now()

// CPUTime is the time since the process began, because this system does not report CPU time.
func CPUTime() time.Duration { return time.Since(began) }
