// Package progress shows how far a run is: a bar with rate and time left in a
// terminal, a log line now and then elsewhere.
package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// logEvery is how often a line is written where there is no terminal.
const logEvery = 20 * time.Second

// Bar is the progress of one piece of work. Its methods may be called by many
// goroutines.
type Bar struct {
	mu      sync.Mutex
	w       io.Writer
	title   string
	note    string
	total   int64
	bar     *progressbar.ProgressBar // nil where there is no terminal
	quiet   bool
	started time.Time
	logged  time.Time
	base    int64 // what was done before we began
	done    int64
	any     bool
}

// New shows the progress of total pieces of work called title on w, nothing
// where quiet. A total of 0 is one that nobody knows.
func New(w io.Writer, title string, total int64, quiet bool) *Bar {
	now := time.Now()
	b := &Bar{w: w, title: title, total: total, quiet: quiet, started: now, logged: now}
	if f, ok := w.(*os.File); ok && !quiet && term.IsTerminal(int(f.Fd())) {
		if total <= 0 {
			total = -1 // as the bar's maker calls it
		}
		b.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(title),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	}
	return b
}

// Set tells that done pieces are finished. What the first call says was done
// before, and counts for nothing in the rate.
func (b *Bar) Set(done int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.any {
		b.any, b.base = true, done
	}
	b.done = done
	switch now := time.Now(); {
	case b.bar != nil:
		b.bar.Set64(done)
	case !b.quiet && now.Sub(b.logged) >= logEvery && (done < b.total || b.total <= 0):
		b.logged = now
		fmt.Fprintln(b.w, b.line(now))
	}
}

// Note puts a remark beside the figures: how a match stands. The next Set shows
// it.
func (b *Bar) Note(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note = text
	if b.bar != nil {
		b.bar.Describe(b.title + ": " + text)
	}
}

func (b *Bar) line(now time.Time) string {
	text := fmt.Sprintf("%s: %d", b.title, b.done)
	if b.total > 0 {
		text += fmt.Sprintf(" of %d", b.total)
	}
	rate := float64(b.done-b.base) / now.Sub(b.started).Seconds()
	switch {
	case rate > 0 && b.total <= 0:
		text += fmt.Sprintf(", %.3g/s", rate)
	case rate > 0:
		left := time.Duration(float64(b.total-b.done) / rate * float64(time.Second))
		text += fmt.Sprintf(", %.3g/s, %v left", rate, left.Round(time.Second))
	}
	if b.note != "" {
		text += "; " + b.note
	}
	return text
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
