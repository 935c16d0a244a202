package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestLog: without a terminal there are lines, and the rate leaves out what a
// resumed run found done.
func TestLog(t *testing.T) {
	var out bytes.Buffer
	b := New(&out, "games", 1000, false)
	b.Set(500)
	b.started, b.logged = b.started.Add(-100*time.Second), b.logged.Add(-100*time.Second)
	b.Set(600)
	if got := out.String(); !strings.Contains(got, "games: 600 of 1000, 1/s, 6m40s left") {
		t.Errorf("logged %q", got)
	}
	b.Finish()
}

func TestQuiet(t *testing.T) {
	var out bytes.Buffer
	b := New(&out, "games", 10, true)
	b.logged = b.logged.Add(-time.Hour)
	b.Set(5)
	b.Finish()
	if out.Len() != 0 {
		t.Errorf("logged %q", out.String())
	}
}

// TestEndless: where nobody knows how much there is, there is no time left to
// tell; a note stands beside the figures.
func TestEndless(t *testing.T) {
	var out bytes.Buffer
	b := New(&out, "pairs", 0, false)
	b.Set(0)
	b.started, b.logged = b.started.Add(-100*time.Second), b.logged.Add(-100*time.Second)
	b.Note("3 won")
	b.Set(50)
	if got := out.String(); got != "pairs: 50, 0.5/s; 3 won\n" {
		t.Errorf("logged %q", got)
	}
	b.Finish()
}
