package protocol

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"plyfit/internal/proc"
	"plyfit/internal/text"
)

// Engine is a running program that reads and writes lines. It belongs to one goroutine. A forgotten
// engine is killed when it is collected, and on Linux when this process ends.
type Engine struct{ *process }

// process is what the goroutines behind an Engine hold on to.
type process struct {
	name   string
	began  time.Time
	child  *proc.Child
	stdin  *os.File
	stdout *os.File
	lines  chan string   // what it said, closed at its end
	closed chan struct{} // no one listens any more
	idle   atomic.Bool   // every line that was read is in lines
	tail   proc.Tail     // the end of its standard error
	last   string        // the last line read without waiting
	once   sync.Once
}

const (
	lineLimit  = 1 << 16         // bytes of a line; the rest of a longer one is dropped
	farewell   = time.Second     // for an engine to go by itself
	writeLimit = 5 * time.Second // for an engine that does not read
)

func start(c Command) (*Engine, error) {
	p := &process{
		name: c.Name(), began: time.Now(), lines: make(chan string, 256),
		closed: make(chan struct{}),
	}
	theirIn, ourIn, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	ourOut, theirOut, err := os.Pipe()
	if err != nil {
		theirIn.Close()
		ourIn.Close()
		return nil, err
	}
	p.stdin, p.stdout = ourIn, ourOut
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, append([]string{}, c.Env...)
	if !c.Bare {
		cmd.Env = append(os.Environ(), c.Env...)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirIn, theirOut, &p.tail
	cmd.WaitDelay = time.Second // if a child still holds standard error
	p.child, err = proc.Start(cmd)
	theirIn.Close()
	theirOut.Close()
	if err != nil {
		ourIn.Close()
		ourOut.Close()
		return nil, &EngineError{Kind: Crash, Engine: p.name, What: err.Error()}
	}
	go p.listen()
	e := &Engine{p}
	runtime.AddCleanup(e, func(p *process) { p.end() }, p)
	return e, nil
}

func (p *process) listen() {
	defer close(p.lines)
	defer p.stdout.Close()
	r := bufio.NewReaderSize(p, lineLimit)
	for {
		line, err := r.ReadSlice('\n')
		text := strings.TrimRight(strings.ReplaceAll(string(line), "\x00", ""), "\r\n") // C programs may send their strings' ends
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = r.ReadSlice('\n')
		}
		if err != nil && text == "" {
			return
		}
		select {
		case p.lines <- text:
		case <-p.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

// Send tells the engine one line, or several.
func (e *Engine) Send(line string) error { return e.send(line, writeLimit) }

// SendFirst is Send to an engine that may still be starting. It waits at most limit until
// the engine has begun to read the line, has said something or has ended; where the system
// does not tell what is unread, which is all but Linux, the error is nil and started 0.
// started is how long after its launch the engine read.
func (e *Engine) SendFirst(ctx context.Context, line string, limit time.Duration) (started time.Duration, err error) {
	late := &EngineError{Kind: Time, Engine: e.name, What: fmt.Sprintf("read nothing within %v of its start", limit), Starting: true}
	end := e.began.Add(limit)
	if err := e.send(line, time.Until(end)); err != nil {
		if fault := (*EngineError)(nil); errors.As(err, &fault) && fault.Kind == Time {
			return 0, late
		}
		return 0, err
	}
	for {
		unread, told := unread(e.stdin)
		switch {
		case !told:
			return 0, nil
		case unread <= len(line) || len(e.lines) > 0:
			return time.Since(e.began), nil
		case time.Now().After(end):
			return 0, late
		}
		select {
		case <-e.child.Done:
			return time.Since(e.began), nil
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (e *Engine) send(line string, limit time.Duration) error {
	e.stdin.SetWriteDeadline(time.Now().Add(limit)) // not everywhere: then there is none
	_, err := io.WriteString(e.stdin, line+"\n")
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &EngineError{Kind: Time, Engine: e.name, What: "does not read what it is sent"}
	}
	return e.crashed("while it read " + quote(line))
}

// Line is the next line that the engine says, until the deadline or ctx's end; in
// the latter case the error is ctx's. What says what is waited for.
func (e *Engine) Line(ctx context.Context, deadline time.Time, what string) (string, error) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case line, ok := <-e.lines:
		if !ok {
			return "", e.crashed("while it owed " + what)
		}
		e.last = line
		return line, nil
	case <-timer.C:
		return "", e.Late(what)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Unasked drops the lines that have arrived before a question, and returns the first. Lines of a
// program that keeps talking are dropped up to a limit.
func (e *Engine) Unasked() (first string, ok bool) {
	for range mostPrinted {
		select {
		case line, more := <-e.lines:
			if !more {
				return first, ok
			}
			if !ok {
				first, ok = line, true
			}
			continue
		default:
		}
		// In this order: what was read while these lines ran is in e.lines.
		if n, _ := unread(e.stdout); n == 0 && e.idle.Load() && len(e.lines) == 0 {
			break
		}
		time.Sleep(10 * time.Microsecond) // listen is about to pass them on
	}
	return first, ok
}

// Await reads lines until one for which is tells true, and returns it.
func (e *Engine) Await(ctx context.Context, limit time.Duration, what string, is func(line string) bool) (string, error) {
	deadline := time.Now().Add(limit)
	for {
		line, err := e.Line(ctx, deadline, what)
		if err != nil {
			return "", err
		}
		if is(line) {
			e.last = ""
			return line, nil
		}
		if !time.Now().Before(deadline) { // it talks, but not of this
			return "", e.Late(what)
		}
	}
}

// mostPrinted is how many lines a program may print before its result.
const mostPrinted = 10000

// Run runs a program to its end, which has no input and limit as its time, and returns the last
// line that it printed. It is an error if it fails, prints nothing or leaves a program behind.
func Run(ctx context.Context, c Command, limit time.Duration) (last string, err error) {
	e, err := start(c)
	if err != nil {
		return "", err
	}
	defer e.Close("")
	e.stdin.Close()
	timer, ended, left := time.NewTimer(limit), e.child.Done, (<-chan time.Time)(nil)
	defer timer.Stop()
	for printed := 0; printed <= mostPrinted; {
		select {
		case line, more := <-e.lines:
			switch {
			case more && strings.TrimSpace(line) != "":
				printed++
				last = line
			case more:
			case e.failed(limit) || last == "":
				return "", e.crashed("without a result")
			default:
				return last, nil
			}
		case <-ended:
			ended, left = nil, time.After(farewell)
		case <-left:
			return "", &EngineError{Kind: Crash, Engine: e.name, What: "ended, but a program that it started holds its output"}
		case <-timer.C:
			return "", &EngineError{Kind: Time, Engine: e.name, What: fmt.Sprintf("has not ended after %v", limit)}
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return "", &EngineError{Kind: Crash, Engine: e.name, What: fmt.Sprintf("printed more than %d lines", mostPrinted)}
}

// failed waits for the program's end, and reports whether it failed.
func (e *Engine) failed(limit time.Duration) bool {
	select {
	case <-e.child.Done:
		return e.child.Err != nil
	case <-time.After(limit):
		return true
	}
}

// PID is the number of its process.
func (e *Engine) PID() int { return e.child.PID }

// Name is what the engine is called in messages.
func (e *Engine) Name() string { return e.name }

func (e *Engine) crashed(when string) error {
	how := "closed its output"
	select {
	case <-e.child.Done:
		how = "ended"
		if e.child.Err != nil {
			how += " (" + e.child.Err.Error() + ")"
		}
	case <-time.After(farewell):
	}
	if said := cmp.Or(e.tail.ErrorLine(), strings.TrimSpace(e.last)); said != "" {
		how += ", saying " + quote(said)
	}
	return &EngineError{Kind: Crash, Engine: e.name, What: how + " " + when}
}

// Close says goodbye, in the engine's language or "" for none, gives it a moment
// to go and then makes sure that neither it nor what it started is left.
func (e *Engine) Close(goodbye string) {
	if goodbye != "" {
		e.stdin.SetWriteDeadline(time.Now().Add(farewell))
		if _, err := io.WriteString(e.stdin, goodbye+"\n"); err == nil {
			e.stdin.Close()
			select {
			case <-e.child.Done:
			case <-time.After(farewell):
			}
		}
	}
	e.end()
}

func (p *process) end() {
	p.once.Do(func() {
		close(p.closed)
		p.child.End()
		p.stdin.Close()
		p.stdout.Close()
		select {
		case <-p.child.Done:
		case <-time.After(2 * time.Second):
		}
	})
}

// quote formats text from or to an engine for a message.
func quote(s string) string { return fmt.Sprintf("%q", text.Clip(s, 120)) }

// Kinds of faults that a match counts.
const (
	Time       = "time"       // no answer in time
	Unreadable = "unreadable" // it printed something that is not an answer
	Crash      = "crash"      // it ended, or could not be started
	Illegal    = "illegal"    // a move that is none
)

// EngineError is an engine's fault. It costs the game at hand; a match reads its kind by the method
// Fault.
type EngineError struct {
	Kind   string // Time, Unreadable, Crash or Illegal
	Engine string
	What   string
	// Starting tells that it read nothing since it was launched.
	Starting bool
}

func (f *EngineError) Error() string { return f.Engine + ": " + f.What }

// Fault is the fault's kind.
func (f *EngineError) Fault() string { return f.Kind }

// Wrong reports a move that is illegal or unreadable.
func (e *Engine) Wrong(move, position string) error {
	return &EngineError{Kind: Illegal, Engine: e.name, What: "answers " + quote(move) + " at " + position}
}

// Odd reports an answer that the protocol does not have.
func (e *Engine) Odd(answer, want string) error {
	return &EngineError{Kind: Unreadable, Engine: e.name, What: "says " + quote(answer) + ", want " + want}
}

// Late reports that an answer did not come in time.
func (e *Engine) Late(what string) error {
	return &EngineError{Kind: Time, Engine: e.name, What: "no " + what + " in time"}
}
