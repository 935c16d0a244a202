package proc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"plyfit/internal/vectors"
)

// TestOrphans checks that End and Run leave nothing of a program, once no other one is in use.
func TestOrphans(t *testing.T) {
	Adopt()
	in, out := io.Pipe()
	r := bufio.NewReader(in)
	// leaver is a program with a child in another session, which prints its number.
	leaver := func(then string) (c *exec.Cmd) {
		c = exec.Command("sh", "-c", "setsid sh -c 'echo $$; exec sleep 1000' & "+then)
		c.Stdout, c.WaitDelay = out, 1
		return c
	}
	pid := func() (n int) {
		vectors.Must(fmt.Fscanln(r, &n))
		return n
	}
	alive := func(pid int) bool { return syscall.Kill(pid, 0) == nil }
	other := vectors.Must(Start(exec.Command("sleep", "1000")))
	p := vectors.Must(Start(leaver("wait")))
	child := pid()
	p.End()
	if <-p.Done; p.Err == nil || !alive(child) {
		t.Errorf("%v: want it killed, and its orphan alive as long as another program is in use", p.Err)
	}
	other.End()
	if <-other.Done; alive(child) {
		t.Error("the orphan is left")
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, leaver("trap '' TERM; sleep 1000; sleep 1000")) }()
	child = pid()
	cancel(io.ErrClosedPipe)
	if err := <-ended; !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	for alive(child) { // until the test's own limit
		time.Sleep(time.Millisecond)
	}
	for _, then := range []string{"sleep 1000 & exit 0", "exit 0"} {
		go func() { ended <- Run(context.Background(), leaver(then)) }()
		if child = pid(); <-ended != nil || alive(child) {
			t.Errorf("%s: want success, and nothing left", then)
		}
	}
}
