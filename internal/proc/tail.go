package proc

import (
	"regexp"
	"strings"
	"sync"
)

// A Tail is a writer that keeps the last part of a program's output.
type Tail struct {
	mu   sync.Mutex
	text []byte
}

// tailLimit is the minimum number of bytes that a Tail keeps. Stack traces are long, and some
// languages print the error before them.
const tailLimit = 1 << 16

// Write implements io.Writer.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text = append(t.text, p...); len(t.text) > 2*tailLimit {
		t.text = append(t.text[:0], t.text[len(t.text)-tailLimit:]...)
	}
	return len(p), nil
}

var (
	// crash matches the first line of a runtime's report of an uncaught error.
	crash = regexp.MustCompile(`^(panic: |(fatal|FATAL) (error|ERROR): |ERROR: |==\d+==ERROR|thread .*panic|(PHP )?Fatal error: |Exception in thread |Unhandled exception|terminate called |Error in |[\w.$]*(Error|Exception)(@\S+| \[\w+\])?(:|$))`)
	// headline matches crash lines whose message is on the next line, as in Rust and C++.
	headline = regexp.MustCompile(`^(thread .* panicked at .*:|Unhandled exception:|terminate called .*)$`)
	// complaint matches errors of compilers.
	complaint = regexp.MustCompile(`(?i)\berror(\[\w+\]| [a-z]+\d+)?: |undefined reference`)
	// noise matches lines that may follow the error: stack frames, versions and advice.
	noise = regexp.MustCompile(`^(\s|$|\^|#\d|[\])}]+$|Node\.js v|Bun v|\(Use .node |goroutine |exit status |note: |(?i:stack ?trace|callstack)|Calls: |Execution halted|BEGIN failed|make.*(\] Error \d+$|Leaving directory))`)
)

// ErrorLine returns the line with the error: the line before or after a stack trace, the first
// error of a compiler, or else the last line. It returns "" if nothing was printed.
func (t *Tail) ErrorLine() string {
	t.mu.Lock()
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(t.text), "\r\n", "\n")), "\n")
	t.mu.Unlock()
	traceback, crashed, complained, last := -1, -1, -1, len(lines)-1
	for i, line := range lines {
		switch {
		case line == "Traceback (most recent call last):": // in Python, the error is the first line after the traceback
			traceback = i
		case traceback >= 0 && line != "" && !noise.MatchString(line):
			crashed, traceback = i, -1
		case crash.MatchString(line):
			crashed = i
		case complained < 0 && complaint.MatchString(line):
			complained = i
		}
	}
	for last > 0 && noise.MatchString(lines[last]) {
		last--
	}
	at := last
	if crashed >= 0 {
		at = crashed
	} else if complained >= 0 {
		at = complained
	}
	text := strings.TrimSpace(lines[at])
	if at+1 < len(lines) && headline.MatchString(text) {
		text += " " + strings.TrimSpace(lines[at+1])
	}
	return text
}
