//go:build !unix

package proc

import (
	"os"
	"os/exec"
	"syscall"
)

// setGroup does nothing on this system. Only the program itself is killed, or it ends when its
// input is closed.
func setGroup(*exec.Cmd) {}

func signalGroup(pid int, _ syscall.Signal) {
	if p, err := os.FindProcess(pid); err == nil {
		p.Kill()
	}
}
