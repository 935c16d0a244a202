//go:build !unix

package proc

import (
	"os"
	"os/exec"
	"syscall"
)

// setGroup does nothing here: the program is ended alone, or ends with its input.
func setGroup(*exec.Cmd) {}

func signalGroup(pid int, _ syscall.Signal) {
	if p, err := os.FindProcess(pid); err == nil {
		p.Kill()
	}
}
