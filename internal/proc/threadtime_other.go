//go:build !linux

package proc

import "time"

var started = time.Now()

// ThreadTime returns the time since the program started, because the CPU time of a thread is not
// available.
func ThreadTime() time.Duration { return time.Since(started) }
