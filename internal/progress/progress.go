// Package progress shows how far a run is: in a terminal by one line with a bar, the time left and
// the count, elsewhere by occasional log lines.
package progress

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// logEvery is the interval of log lines without a terminal, drawEvery that of changes in a
// terminal.
const (
	logEvery  = 20 * time.Second
	drawEvery = 100 * time.Millisecond
)

// Bar is the progress of one task. Many goroutines may use it.
type Bar struct {
	mu      sync.Mutex
	w       io.Writer
	title   string
	note    string
	left    *string // in place of our own estimate; nil: ours
	total   int64
	bar     *progressbar.ProgressBar // nil where there is no terminal
	columns func() int               // of the terminal
	width   int                      // of the bar
	quiet   bool
	started time.Time
	shown   time.Time
	base    int64 // what was done before we began
	done    int64
	any     bool
	tell    func(done, total int64, text string) // is informed of it, too; nil: no one is
	told    time.Time
}

// New shows the progress of total pieces of the task title on w, nothing if quiet. A total of 0 is
// unknown.
func New(w io.Writer, title string, total int64, quiet bool) *Bar {
	b := &Bar{w: w, title: title, total: total, quiet: quiet, started: time.Now()}
	b.shown = b.started
	if f, ok := w.(*os.File); ok && !quiet && term.IsTerminal(int(f.Fd())) {
		b.inTerminal(func() int {
			if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
				return columns
			}
			return 80
		})
	}
	return b
}

// Working shows the elapsed time of a task of unknown length in a terminal, until stop is called.
func Working(w io.Writer, title string, quiet bool) (stop func()) {
	b := New(w, "s, "+title, 0, quiet)
	if b.bar == nil {
		return func() {}
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(2 * drawEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				b.Set(int64(time.Since(b.started).Seconds()))
			case <-over:
				b.Finish()
				return
			}
		}
	}()
	return sync.OnceFunc(func() { close(over); <-ended })
}

// inTerminal draws the bar in a terminal of so many columns.
func (b *Bar) inTerminal(columns func() int) {
	b.columns, b.shown = columns, time.Time{}
	b.width = min(12, columns()/8)
	total := b.total
	if total <= 0 {
		total = -1 // as the library writes an unknown one
	}
	b.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(&clipped{b.w, columns}), progressbar.OptionSetWidth(b.width), progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(false), progressbar.OptionSetRenderBlankState(false))
}

// clipped keeps lines out of the last column, where terminals would wrap.
type clipped struct {
	w       io.Writer
	columns func() int
}

func (c *clipped) Write(p []byte) (int, error) {
	most := max(0, c.columns()-1)
	var out bytes.Buffer
	for i, part := range strings.Split(string(p), "\r") {
		if i > 0 {
			out.WriteByte('\r')
		}
		out.WriteString(cut(part, most))
	}
	_, err := c.w.Write(out.Bytes())
	return len(p), err
}

// cut is text shortened to most characters.
func cut(text string, most int) string {
	runes := []rune(text)
	switch {
	case len(runes) <= most:
		return text
	case most < 1 || strings.TrimSpace(text) == "":
		return string(runes[:most])
	}
	return string(runes[:most-1]) + "…"
}

// Set reports that done pieces are finished. Those of the first call were done before and do not
// count for the rate.
func (b *Bar) Set(done int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.any {
		b.any, b.base = true, done
	}
	b.done = done
	now := time.Now()
	if b.tell != nil && (now.Sub(b.told) >= time.Second || done == b.total) {
		b.told = now
		b.tell(done, b.total, b.title+": "+b.text(now))
	}
	switch {
	case b.bar != nil && now.Sub(b.shown) >= drawEvery:
		b.shown = now
		b.bar.Describe(b.text(now))
		b.bar.Set64(done)
	case b.bar == nil && !b.quiet && now.Sub(b.shown) >= logEvery && (done < b.total || b.total <= 0):
		b.shown = now
		fmt.Fprintln(b.w, b.title+": "+b.text(now))
	}
}

// Tell calls f for the line's text, at most once a second and at the end.
func (b *Bar) Tell(f func(done, total int64, text string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tell = f
}

// Note puts a remark after the figures, such as a match's score. The next Set shows it.
func (b *Bar) Note(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note = text
}

// Left replaces the estimate of the time left by that of a longer run which includes this task; "":
// not known yet.
func (b *Bar) Left(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left = &text
}

// text is the time left, the count and, in a terminal, the title: the most important first, since
// the end may be cut.
func (b *Bar) text(now time.Time) string {
	var parts []string
	count := fmt.Sprint(b.done)
	if b.total > 0 {
		count = fmt.Sprintf("%d of %d", b.done, b.total)
	}
	rate := float64(b.done-b.base) / now.Sub(b.started).Seconds()
	left := ""
	switch {
	case b.left != nil:
		left = *b.left
	case rate > 0 && b.total > 0:
		left = fmt.Sprintf("%v left", time.Duration(float64(b.total-b.done)/rate*float64(time.Second)).Round(time.Second))
	}
	if left != "" {
		parts = append(parts, left)
	}
	switch {
	case b.bar != nil && strings.HasPrefix(b.title, "s, "): // of seconds
		count += b.title
	case b.bar != nil:
		count += " " + b.title
	}
	parts = append(parts, count)
	if b.bar == nil && rate > 0 {
		parts = append(parts, fmt.Sprintf("%.3g/s", rate))
	}
	text := strings.Join(parts, ", ")
	if b.note != "" {
		text += "; " + b.note
	}
	return text
}

// Write writes lines above the bar.
func (b *Bar) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		b.bar.Clear()
		b.shown = time.Time{}
	}
	return b.w.Write(p)
}

// Finish takes the bar away.
func (b *Bar) Finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		b.bar.Clear()
		b.bar.Exit()
	}
}
