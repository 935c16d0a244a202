//go:build unix

package proc

import (
	"os/exec"
	"syscall"
)

// setGroup puts the program into a process group of its own, so that it can be killed with all that
// it starts, and no key pressed here reaches it.
func setGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	setDeath(c)
}

func signalGroup(pid int, s syscall.Signal) { syscall.Kill(-pid, s) }
