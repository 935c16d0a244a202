//go:build unix

package proc

import (
	"syscall"
	"time"
)

// CPUTime is the CPU time that the process has used, in its own code and in
// the system's: on a crowded machine the clock on the wall measures the crowd.
func CPUTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u) // fails for bad arguments alone
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
