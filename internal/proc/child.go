package proc

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// Child is a program that this process has started, in a process group of its own. On Linux the
// system kills it when this process ends, even by SIGKILL.
type Child struct {
	PID  int
	Done chan struct{} // closed when the program has ended
	Err  error         // of [exec.Cmd.Wait], set before Done is closed
}

// children are the running ones by PID. While a program is being started the lock is held, so that
// it is never taken for an orphan.
var children struct {
	sync.Mutex
	running map[int]bool
	ending  bool // no more programs may start
}

// errEnding is the error of Start after [EndAll].
var errEnding = errors.New("not started: the command is ending")

// Start starts c.
func Start(c *exec.Cmd) (*Child, error) {
	setGroup(c)
	p, started := &Child{Done: make(chan struct{})}, make(chan error)
	go p.live(c, started)
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// live starts the program and waits for its end, all on one thread of its own: the system binds the
// life of a child to the thread that started it.
func (p *Child) live(c *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	children.Lock()
	err := errEnding
	if !children.ending {
		err = c.Start()
	}
	if err == nil {
		if p.PID = c.Process.Pid; children.running == nil {
			children.running = map[int]bool{}
		}
		children.running[p.PID] = true
	}
	children.Unlock()
	if started <- err; err != nil {
		return
	}
	p.Err = c.Wait()
	children.Lock()
	delete(children.running, p.PID)
	endOrphans()
	children.Unlock()
	close(p.Done)
}

// End kills the program and everything in its group.
func (p *Child) End() { signalGroup(p.PID, syscall.SIGKILL) }

// goodbye is the time between SIGTERM and SIGKILL. It is less than the command waits after a signal.
const goodbye = 200 * time.Millisecond

// Run runs c to its end and then kills what is left of its group. If ctx ends first, Run ends the
// group with SIGTERM, then SIGKILL, and returns ctx's cause.
func Run(ctx context.Context, c *exec.Cmd) error {
	c.WaitDelay = time.Second // for children that hold the output
	p, err := Start(c)
	if err != nil {
		return err
	}
	defer p.End()
	select {
	case <-p.Done:
	case <-ctx.Done():
		signalGroup(p.PID, syscall.SIGTERM)
		select {
		case <-p.Done:
		case <-time.After(goodbye):
		}
		return context.Cause(ctx)
	}
	if errors.Is(p.Err, exec.ErrWaitDelay) { // it succeeded, and only a child of it is left
		return nil
	}
	return p.Err
}

// EndAll kills the running programs and, after [Adopt], whatever programs have left behind. No more
// can be started. It is for the end of the command.
func EndAll() {
	children.Lock()
	defer children.Unlock()
	children.ending = true
	for pid := range children.running {
		signalGroup(pid, syscall.SIGKILL)
	}
	if children.running != nil {
		endOrphans()
	}
}
