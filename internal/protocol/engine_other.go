//go:build !unix

package protocol

import (
	"os"
	"os/exec"
)

// bind does nothing here: the engine ends at the end of its input.
func bind(*exec.Cmd) {}

// kill ends the engine but not its children.
func kill(c *exec.Cmd) { c.Process.Kill() }

func unread(*os.File) (n int, ok bool) { return 0, false }
