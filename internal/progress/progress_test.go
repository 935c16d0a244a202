package progress

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLog checks the lines that are written without a terminal. The rate must exclude work that was
// already finished when a run was resumed. If the total is unknown, no remaining time is shown. The
// estimate for a whole run must replace the bar's own.
func TestLog(t *testing.T) {
	for _, c := range []struct {
		total int64
		left  string
		want  string
	}{
		{1000, "", "games: 6m40s left, 600 of 1000, 1/s; 3 won\n"},
		{0, "", "games: 600, 1/s; 3 won\n"},
		{1000, "2m0s of the run remains", "games: 2m0s of the run remains, 600 of 1000, 1/s; 3 won\n"},
	} {
		var out bytes.Buffer
		b := New(&out, "games", c.total, false)
		b.Set(500)
		b.started, b.shown = b.started.Add(-100*time.Second), b.shown.Add(-100*time.Second)
		b.Note("3 won")
		if c.left != "" {
			b.Left(c.left)
		}
		b.Set(600)
		if got := out.String(); got != c.want {
			t.Errorf("logged %q, want %q", got, c.want)
		}
		b.Finish()
	}
}

func TestQuiet(t *testing.T) {
	var out bytes.Buffer
	b := New(&out, "games", 10, true)
	b.shown = b.shown.Add(-time.Hour)
	b.Set(5)
	b.Finish()
	if out.Len() != 0 {
		t.Errorf("logged %q", out.String())
	}
}

// oneLine checks that text written to a terminal of the given width stays in one row and is removed
// at the end.
func oneLine(text string, columns int) error {
	row := ""
	for _, part := range strings.Split(text, "\r") {
		if n := len([]rune(part)); n >= columns {
			return fmt.Errorf("%d columns in a terminal of %d: %q", n, columns, part)
		}
		if strings.ContainsAny(part, "\n\x1b") {
			return fmt.Errorf("more than one line: %q", part)
		}
		row = part + string([]rune(row)[min(len([]rune(row)), len([]rune(part))):])
	}
	if strings.TrimSpace(row) != "" {
		return fmt.Errorf("left behind: %q", row)
	}
	return nil
}

// TestOneLine checks that terminals of five widths show one line and nothing after the end. With at
// least 40 columns and a known total, the line must show the remaining time.
func TestOneLine(t *testing.T) {
	for _, columns := range []int{20, 40, 80, 110, 200} {
		for _, total := range []int64{0, 150000} {
			var out bytes.Buffer
			b := New(&out, "games of connect4 by alphabeta:depth=8,eval=handwritten against mcts:simulations=2000", total, false)
			b.inTerminal(func() int { return columns })
			for k := range int64(50) {
				b.started, b.shown = b.started.Add(-time.Second), time.Time{}
				b.Note(fmt.Sprintf("%d won, ½ drawn, points 55.3%% ± 2.1%%", k))
				b.Set(k * 3000)
			}
			if text := out.String(); total > 0 && columns >= 40 && strings.Count(text, "left") < 40 {
				t.Errorf("%d columns: the time left is missing: %q", columns, text[max(0, len(text)-300):])
			}
			b.Finish()
			if err := oneLine(out.String(), columns); err != nil {
				t.Error(err)
			}
		}
	}
	if oneLine("\ra line that is too long for it\r", 20) == nil || oneLine("\rshort\r", 20) == nil {
		t.Error("a line too long, or left behind, passes")
	}
}
