// Package progress displays the progress of a run. A terminal shows one line with a bar, the
// remaining time and the count. Other outputs get occasional log lines.
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

// logEvery is the interval between log lines if there is no terminal. drawEvery is the interval
// between redraws in a terminal.
const (
	logEvery  = 20 * time.Second
	drawEvery = 100 * time.Millisecond
)

// A Bar displays the progress of one task. It is safe for concurrent use.
type Bar struct {
	mu       sync.Mutex
	w        io.Writer
	title    string
	note     string
	left     *string // replaces the estimate of the remaining time; nil means the bar's own estimate
	total    int64
	bar      *progressbar.ProgressBar // nil if there is no terminal
	columns  func() int               // returns the width of the terminal
	width    int                      // width of the bar
	quiet    bool
	started  time.Time
	shown    time.Time
	base     int64 // finished before this process started
	done     int64
	any      bool
	tell     func(done, total int64, text string) // also called with the progress; may be nil
	reported time.Time
}

// New returns a bar that shows the progress of a task on w, or nothing if quiet is true. The total
// number of pieces is 0 if it is unknown.
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

// Working shows the elapsed time of a task of unknown length in a terminal until stop is called.
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

// inTerminal makes the bar draw in a terminal. columns returns the width of the terminal.
func (b *Bar) inTerminal(columns func() int) {
	b.columns, b.shown = columns, time.Time{}
	b.width = min(12, columns()/8)
	total := b.total
	if total <= 0 {
		total = -1 // unknown, in the convention of the library
	}
	b.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(&clipped{b.w, columns}), progressbar.OptionSetWidth(b.width), progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(false), progressbar.OptionSetRenderBlankState(false))
}

// clipped keeps lines out of the last column, in which terminals would wrap.
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

// cut returns the text, shortened to the given number of characters.
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

// Set reports how many pieces are finished. The pieces in the first call were finished earlier, so
// they do not count towards the rate.
func (b *Bar) Set(done int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.any {
		b.any, b.base = true, done
	}
	b.done = done
	now := time.Now()
	if b.tell != nil && (now.Sub(b.reported) >= time.Second || done == b.total) {
		b.reported = now
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

// OnProgress makes the bar call f with the text of the line, at most once per second and at the
// end.
func (b *Bar) OnProgress(f func(done, total int64, text string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tell = f
}

// Note adds a remark after the numbers, such as the score of a match. It is shown at the next Set.
func (b *Bar) Note(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note = text
}

// Left replaces the bar's estimate of the remaining time with the estimate for a longer run that
// includes this task. "" means that it is not known yet.
func (b *Bar) Left(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left = &text
}

// text returns the remaining time, the count and, in a terminal, the title. The most important
// parts come first, because the end may be cut off.
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
	case b.bar != nil && strings.HasPrefix(b.title, "s, "): // the title begins with the unit, seconds
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

// Finish removes the bar.
func (b *Bar) Finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		b.bar.Clear()
		b.bar.Exit()
	}
}
