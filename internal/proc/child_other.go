//go:build !linux

package proc

import "os/exec"

// Adopt does nothing on this system: programs that leave their group outlive the command.
func Adopt() {}

func endOrphans() {}

func setDeath(*exec.Cmd) {}
