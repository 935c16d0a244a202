package proc

import (
	"errors"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// A Child is a program started in its own process group. On Linux the kernel kills it when this
// process ends, even by SIGKILL. The caller must call End once.
type Child struct {
	PID  int
	Done chan struct{} // closed when the program has ended
	Err  error         // the reason for its failure, set before Done is closed
}

// children holds the programs in use. Start holds the lock, so that endOrphans cannot mistake a new
// program for an orphan.
var children = struct {
	sync.Mutex
	inUse  map[int]int // by PID: 2, or 1 once the program has ended or End was called
	ending bool        // no more programs may start
}{inUse: map[int]int{}}

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

// live starts the program and waits for it. It never leaves its thread, because Linux kills the child
// when the thread that started it ends.
func (p *Child) live(c *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	children.Lock()
	err := errEnding
	if !children.ending {
		err = c.Start()
	}
	if err == nil {
		p.PID = c.Process.Pid
		children.inUse[p.PID] = 2
	}
	children.Unlock()
	if started <- err; err != nil {
		return
	}
	if p.Err = c.Wait(); errors.Is(p.Err, exec.ErrWaitDelay) { // it succeeded, and only a child of it holds the output
		p.Err = nil
	}
	p.release()
	close(p.Done)
}

// End kills the program and everything in its group. After [Adopt], the last one in use takes the
// orphans of all with it.
func (p *Child) End() {
	signalGroup(p.PID, syscall.SIGKILL)
	p.release()
}

func (p *Child) release() {
	children.Lock()
	defer children.Unlock()
	if children.inUse[p.PID]--; children.inUse[p.PID] == 0 {
		delete(children.inUse, p.PID)
		endOrphans()
	}
}

// goodbye is the time between SIGTERM and SIGKILL. It is less than the command waits after a signal.
const goodbye = 200 * time.Millisecond

// Run runs c, which [exec.CommandContext] has made, to its end and kills what is left of its group.
// When the context ends, the group gets SIGTERM and then SIGKILL.
func Run(c *exec.Cmd) error {
	c.WaitDelay = goodbye
	c.Cancel = func() error {
		signalGroup(c.Process.Pid, syscall.SIGTERM)
		return nil
	}
	p, err := Start(c)
	if err != nil {
		return err
	}
	<-p.Done
	p.End()
	return p.Err
}

// EndAll kills all programs in use and, after [Adopt], their orphans. No more can be started. It is
// for the end of the command.
func EndAll() {
	children.Lock()
	defer children.Unlock()
	children.ending = true
	for pid := range children.inUse {
		signalGroup(pid, syscall.SIGKILL)
	}
	endOrphans()
}
