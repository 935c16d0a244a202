//go:build !linux

package proc

import "os/exec"

// Adopt does nothing on this system. Programs that leave their group survive the command.
func Adopt() {}

func endOrphans() {}

func setDeath(*exec.Cmd) {}
