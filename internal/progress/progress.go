// Package progress shows how far a run is: in a terminal by one line with a bar, the time left and
// the count, elsewhere by occasional log lines.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

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
	columns func() int // of the terminal; nil: there is none
	drawn   int        // characters of the line in it
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
	if b.columns == nil {
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

// inTerminal draws the bar in a terminal with this number of columns.
func (b *Bar) inTerminal(columns func() int) { b.columns, b.shown = columns, time.Time{} }

// draw replaces the line in the terminal with a bar and a text, or clears it if the text is "". It leaves the
// last column free, since terminals would wrap.
func (b *Bar) draw(text string) {
	columns := b.columns()
	if width := min(12, columns/8); text != "" && b.total > 0 {
		done := min(b.done, b.total)
		full := int(int64(width) * done / b.total)
		bar := strings.Repeat("█", full) + strings.Repeat(" ", width-full)
		text = fmt.Sprintf("%4d%% |%s| %s", 100*done/b.total, bar, text)
	}
	text = cut(text, max(0, columns-1))
	before := min(b.drawn, columns-1)
	b.drawn = len([]rune(text))
	fmt.Fprintf(b.w, "\r%s%s\r", text, strings.Repeat(" ", max(0, before-b.drawn)))
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
	case b.columns != nil && now.Sub(b.shown) >= drawEvery:
		b.shown = now
		b.draw(b.text(now))
	case b.columns == nil && !b.quiet && now.Sub(b.shown) >= logEvery && (done < b.total || b.total <= 0):
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
	case b.columns != nil && strings.HasPrefix(b.title, "s, "): // of seconds
		count += b.title
	case b.columns != nil:
		count += " " + b.title
	}
	parts = append(parts, count)
	if b.columns == nil && rate > 0 {
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
	if b.columns != nil {
		b.draw("")
		b.shown = time.Time{}
	}
	return b.w.Write(p)
}

// Finish takes the bar away.
func (b *Bar) Finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.columns != nil {
		b.draw("")
	}
}
