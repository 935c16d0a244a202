//go:build !unix

package proc

import "time"

// began is when the process began.
var began = time.Now()

// CPUTime is the time since the process began, where the system does not tell
// what of it was spent on this process.
func CPUTime() time.Duration { return time.Since(began) }
