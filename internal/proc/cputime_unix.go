//go:build unix

package proc

import (
	"syscall"
	"time"
)

// CPUTime is the process's user and system time, which other processes do not affect.
func CPUTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u) // fails for bad arguments alone
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
