//go:build unix

package proc

import (
	"os/exec"
	"syscall"
)

// setGroup makes c start in a new process group. The group can be killed as a whole, and Ctrl-C in
// the terminal does not affect it.
func setGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	setDeath(c)
}

func signalGroup(pid int, s syscall.Signal) { syscall.Kill(-pid, s) }
