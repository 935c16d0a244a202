//go:build unix && !linux

package protocol

import (
	"os"
	"os/exec"
	"syscall"
)

// bind puts the engine into a process group of its own, so that it can be killed
// with all that it starts. That we are killed it learns by its input's end.
func bind(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func kill(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }

func unread(*os.File) (n int, ok bool) { return 0, false }
