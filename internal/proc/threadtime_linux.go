package proc

import (
	"time"

	"golang.org/x/sys/unix"
)

// ThreadTime returns the CPU time of the calling thread. The caller must call runtime.LockOSThread
// before it compares two times. On other systems, it is the time of a clock, which also runs while
// the thread waits for a processor.
func ThreadTime() time.Duration {
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) // fails only for unknown clocks
	return time.Duration(t.Nano())
}
