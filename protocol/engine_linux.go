package protocol

import (
	"os/exec"
	"syscall"
)

// bind puts the engine into a process group of its own, so that it can be killed
// with all that it starts and no key pressed here reaches it, and has the system
// kill it when we end, even by SIGKILL.
func bind(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// kill ends the engine and its group.
func kill(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
