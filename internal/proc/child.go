package proc

import (
	"errors"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// A Child is a running program, which has its own process group on Unix. On Linux, the kernel kills
// it when this process ends, even by SIGKILL. The caller must call End once.
type Child struct {
	PID  int
	Done chan struct{} // closed when the program has ended
	Err  error         // reason for its failure; set before Done is closed
}

// children contains the programs in use. Start holds the lock, so that endOrphans cannot mistake a
// new program for an orphan.
var children = struct {
	sync.Mutex
	inUse  map[int]int // number of uses by PID: 2 at first, 1 after the program has ended or End was called
	ending bool        // whether starting programs is disabled
}{inUse: map[int]int{}}

// errEnding is returned by Start after [EndAll].
var errEnding = errors.New("not started, because the command is ending")

// Start starts c as a [Child].
func Start(c *exec.Cmd) (*Child, error) {
	setGroup(c)
	p, started := &Child{Done: make(chan struct{})}, make(chan error)
	go p.live(c, started)
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// live starts the program and waits for it to exit. It stays on its OS thread, because Linux kills
// a child when the thread that started it ends.
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
	if p.Err = c.Wait(); errors.Is(p.Err, exec.ErrWaitDelay) { // the program succeeded, and only one of its children keeps the output open
		p.Err = nil
	}
	p.release()
	close(p.Done)
}

// End kills the program and all processes in its group. After [Adopt], ending the last program in
// use also kills all orphans.
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

// goodbye is the time between SIGTERM and SIGKILL. It is shorter than the time that the command
// waits after a signal.
const goodbye = 200 * time.Millisecond

// Run runs c, which must come from [exec.CommandContext], and waits for it to exit. It then kills
// the remaining processes in the program's group. If the context ends, the group receives SIGTERM
// and then SIGKILL.
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

// EndAll kills all programs in use and, after [Adopt], their orphans. No programs can be started
// afterwards. It is called at the end of the command.
func EndAll() {
	children.Lock()
	defer children.Unlock()
	children.ending = true
	for pid := range children.inUse {
		signalGroup(pid, syscall.SIGKILL)
	}
	endOrphans()
}
