package proc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"testing"

	"plyfit/internal/vectors"
)

// TestOrphans checks that End and Run leave none of a program's processes behind once no other
// program is in use.
func TestOrphans(t *testing.T) {
	Adopt()
	in, out := io.Pipe()
	leaver := func(then string) (c *exec.Cmd) { // starts a child in another session, which prints its process ID
		c = exec.CommandContext(context.Background(), "sh", "-c", "setsid sh -c 'echo $$; exec sleep 1000' & "+then)
		c.Stdout, c.WaitDelay = out, 1
		return c
	}
	r := bufio.NewReader(in)
	pid := func() (n int) {
		vectors.Must(fmt.Fscanln(r, &n))
		return n
	}
	alive := func(pid int) bool { return syscall.Kill(pid, 0) == nil }
	other, p := vectors.Must(Start(exec.Command("sleep", "1000"))), vectors.Must(Start(leaver("wait")))
	child := pid()
	p.End()
	if <-p.Done; p.Err == nil || !alive(child) {
		t.Errorf("%v: want it killed, and its orphan alive as long as another program is in use", p.Err)
	}
	other.End()
	if <-other.Done; alive(child) {
		t.Error("the orphan is left")
	}
	ended := make(chan error, 1)
	go func() { ended <- Run(leaver("sleep 1000 & exit 0")) }()
	if child = pid(); <-ended != nil || alive(child) {
		t.Error("want success, and nothing left")
	}
}
