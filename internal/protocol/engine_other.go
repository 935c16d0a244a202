//go:build !unix

package protocol

import (
	"os"
	"os/exec"
)

// bind does nothing here: that we end the engine learns by its input's end.
func bind(*exec.Cmd) {}

// kill ends the engine, but not what it may have started.
func kill(c *exec.Cmd) { c.Process.Kill() }

func unread(*os.File) (n int, ok bool) { return 0, false }
