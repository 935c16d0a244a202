package program

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

// An Engine is a running program that reads and writes lines. It must be used by only one
// goroutine. An Engine that is not closed is killed when it is garbage-collected. On Linux, it is
// also killed when this process ends.
type Engine struct{ *process }

// A process is the part of an Engine that its goroutines share.
type process struct {
	name     string
	began    time.Time
	mostLine int
	child    *proc.Child
	stdin    *os.File
	stdout   *os.File
	lines    chan string   // lines of standard output; closed at the end
	closed   chan struct{} // closed when no more lines are needed
	idle     atomic.Bool   // whether every line that was read is in lines
	answers  *bufio.Reader // standard output of a direct program, whose lines are not sent to lines
	deadline time.Time     // for the answer of a direct program
	tail     proc.Tail     // last part of standard error
	last     string        // last line that was read; "" after an awaited line
	once     sync.Once
}

const (
	lineLimit  = 1 << 16         // default of Command.MostLine
	farewell   = time.Second     // time for an engine to exit by itself
	writeLimit = 5 * time.Second // time limit for an engine to read a line
)

func start(c Command) (*Engine, error) {
	p := &process{
		name: c.Name(), began: time.Now(), mostLine: cmp.Or(c.MostLine, lineLimit), lines: make(chan string, 256),
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
	if !c.CompleteEnv {
		cmd.Env = append(os.Environ(), c.Env...)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirIn, theirOut, &p.tail
	cmd.WaitDelay = time.Second // in case a child process still has standard error open
	p.child, err = proc.Start(cmd)
	theirIn.Close()
	theirOut.Close()
	if err != nil {
		ourIn.Close()
		ourOut.Close()
		return nil, &EngineError{Kind: Crash, Engine: p.name, What: err.Error()}
	}
	if c.Direct {
		p.answers = bufio.NewReaderSize(patient{p}, p.mostLine)
	} else {
		go p.listen()
	}
	e := &Engine{p}
	runtime.AddCleanup(e, func(p *process) { p.end() }, p)
	return e, nil
}

func (p *process) listen() {
	defer close(p.lines)
	defer p.stdout.Close()
	r := bufio.NewReaderSize(p, p.mostLine)
	for {
		line, err := r.ReadSlice('\n')
		text := strings.TrimRight(strings.ReplaceAll(string(line), "\x00", ""), "\r\n") // some C programs print the zero bytes of their strings
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

// Send sends one or more lines to the engine.
func (e *Engine) Send(line string) error { return e.send(line, writeLimit) }

// SendFirst is like Send, but the engine may still be starting. It waits until the engine has begun
// to read the line, has printed a line or has ended, but no longer than limit after the launch. It
// returns the time from the launch until then. Only Linux reports whether the line was read. On
// other systems, SendFirst does not wait and returns 0.
func (e *Engine) SendFirst(ctx context.Context, line string, limit time.Duration) (started time.Duration, err error) {
	late := &EngineError{Kind: Time, Engine: e.name, What: fmt.Sprintf("did not read its input within %v after the start", limit), Starting: true}
	end := e.began.Add(limit)
	if err := e.send(line, time.Until(end)); err != nil {
		if fault := (*EngineError)(nil); errors.As(err, &fault) && fault.Kind == Time {
			return 0, late
		}
		return 0, err
	}
	for {
		unread, known := unread(e.stdin)
		switch {
		case !known:
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
	e.stdin.SetWriteDeadline(time.Now().Add(limit)) // not supported on all systems; writing then has no limit
	return e.sent(line, e.stdin)
}

// sent sends a line through w.
func (e *Engine) sent(line string, w io.Writer) error {
	_, err := io.WriteString(w, line+"\n")
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &EngineError{Kind: Time, Engine: e.name, What: "does not read its input"}
	}
	return e.crashed("while it read " + quote(line))
}

// Line returns the next line of the engine's output. It returns an error after the deadline, or
// ctx.Err() if ctx ends first. Errors use what to describe the expected line.
func (e *Engine) Line(ctx context.Context, deadline time.Time, what string) (string, error) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case line, ok := <-e.lines:
		if !ok {
			return "", e.crashed("before it sent the " + what)
		}
		e.last = line
		return line, nil
	case <-timer.C:
		return "", e.Late(what)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Ask sends a question to a direct program and returns the next line of its output, which is valid
// until the next call. The caller's thread waits, so the answer wakes no other goroutine. Errors use
// what to describe the answer.
func (e *Engine) Ask(question string, limit time.Duration, what string) ([]byte, error) {
	e.deadline = time.Now().Add(limit)
	if err := e.sent(question, patient{e.process}); err != nil {
		return nil, err
	}
	line, err := e.answers.ReadSlice('\n')
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, e.Late(what)
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("%s: the %s has more than %d bytes; want a shorter line", e.name, what, e.mostLine)
	case err != nil:
		return nil, e.crashed("before it sent the " + what)
	}
	return line, nil
}

// A patient reads from and writes to a direct program until the deadline.
type patient struct{ *process }

// Unasked drops lines that arrived before a question and returns the first of them. If the program
// keeps printing, Unasked stops after a fixed number of lines.
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
		// The order matters, because lines that were read in the meantime are in e.lines.
		if n, _ := unread(e.stdout); n == 0 && e.idle.Load() && len(e.lines) == 0 {
			break
		}
		time.Sleep(10 * time.Microsecond) // listen is about to pass them on
	}
	return first, ok
}

// Await reads lines until one satisfies the callback, and returns that line.
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
		if !time.Now().Before(deadline) { // the engine prints lines, but not the expected line
			return "", e.Late(what)
		}
	}
}

// mostPrinted is the maximum number of lines that a program may print before its result.
const mostPrinted = 10000

// Run runs a program without input until it exits and returns the last line that it printed. It
// returns an error if the program fails, exceeds the time limit, prints nothing or leaves a child
// process behind.
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
			return "", &EngineError{Kind: Crash, Engine: e.name, What: "ended, but a child process still has the output open"}
		case <-timer.C:
			return "", &EngineError{Kind: Time, Engine: e.name, What: fmt.Sprintf("has not ended after %v", limit)}
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return "", &EngineError{Kind: Crash, Engine: e.name, What: fmt.Sprintf("printed more than %d lines", mostPrinted)}
}

// failed waits until the program exits and reports whether it failed. A program that does not exit
// within limit has failed.
func (e *Engine) failed(limit time.Duration) bool {
	select {
	case <-e.child.Done:
		return e.child.Err != nil
	case <-time.After(limit):
		return true
	}
}

// PID returns the process ID.
func (e *Engine) PID() int { return e.child.PID }

// Name returns the engine's name for use in messages.
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

// Close sends the engine a last line (unless it is empty) and gives it a moment to exit. It then
// ends the engine and the processes in its group.
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

// Finish closes the engine's input and returns the next line. It waits only a moment.
func (e *Engine) Finish(ctx context.Context, what string) (string, error) {
	e.stdin.Close()
	return e.Line(ctx, time.Now().Add(farewell), what)
}

// quote formats text from or to an engine for a message.
func quote(s string) string { return fmt.Sprintf("%q", text.Clip(s, 120)) }

// Kinds of faults, as counted by a match.
const (
	Time       = "time"       // no answer in time
	Unreadable = "unreadable" // output that is not an answer
	Crash      = "crash"      // the program ended or could not be started
	Illegal    = "illegal"    // illegal move
)

// An EngineError is an engine fault that loses the current game. The Fault method returns the kind
// of fault for the statistics of a match.
type EngineError struct {
	Kind   string // Time, Unreadable, Crash or Illegal
	Engine string
	What   string
	// Starting reports whether the engine has read nothing since its launch.
	Starting bool
}

func (f *EngineError) Error() string { return f.Engine + ": " + f.What }

// Fault returns the kind of the fault.
func (f *EngineError) Fault() string { return f.Kind }

// Wrong returns the error for an illegal or unreadable move.
func (e *Engine) Wrong(move, position string) error {
	return &EngineError{Kind: Illegal, Engine: e.name, What: "answers " + quote(move) + " at " + position}
}

// Odd returns the error for an answer that the protocol does not allow.
func (e *Engine) Odd(answer, want string) error {
	return &EngineError{Kind: Unreadable, Engine: e.name, What: "says " + quote(answer) + ", want " + want}
}

// Late returns the error for an answer that did not arrive in time.
func (e *Engine) Late(what string) error {
	return &EngineError{Kind: Time, Engine: e.name, What: "no " + what + " in time"}
}
