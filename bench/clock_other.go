//go:build !unix

package bench

import "time"

// began is when the process began.
var began = time.Now()

// cpuTime is the time since the process began, where the system does not tell
// what of it was spent on this process.
func cpuTime() time.Duration { return time.Since(began) }
