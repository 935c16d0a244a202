package td

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"plyfit/internal/vectors"
	"plyfit/learn/online"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/models"
)

// together returns a learner for 2048 with five-cell tables and temporal coherence.
func together(t testing.TB, threads int) *Learner {
	return learner(t, "2048", "2048/4x5", func(c *online.Task) {
		c.Model.Weights[0] = 1 // the score
		c.Frozen = []int32{0, models.Bias}
		c.TC, c.Alpha = true, 1
		c.Lambda, c.Threads = 0.5, threads
	})
}

// TestThreads checks that two threads without locks play as many episodes as asked for, and learn.
// Their mean score in the last third of 1,500 games (300 with -short) must exceed the mean score of
// a single thread in the second sixth. A tighter bound would sometimes fail, because runs differ by
// more than the scores within a run suggest, and lost changes depend on the machine.
func TestThreads(t *testing.T) {
	games := 1500
	if testing.Short() {
		games = 300
	}
	mean := func(l *Learner, from, to int) float64 {
		onlinetest.Advance(t, l, 0, from)
		before := l.Tally()
		onlinetest.Advance(t, l, from, to)
		if got := l.Tally().Episodes; got != to {
			t.Errorf("%d threads: %d episodes, want %d", l.cfg.Threads, got, to)
		}
		last := l.Tally().Since(before)
		return last.Sum / float64(last.Episodes)
	}
	one, two := mean(together(t, 1), games/6, games/3), mean(together(t, 2), 2*games/3, games)
	if !(two > one) {
		t.Errorf("two threads come to %.0f after %d games, one to %.0f after %d: want more", two, games, one, games/3)
	}
	t.Logf("two threads %.0f, one %.0f", two, one)
}

// TestThreadsResume checks that a snapshot restores the tally of all threads. A stopped run must
// return an error.
func TestThreadsResume(t *testing.T) {
	l, again := together(t, 2), together(t, 1)
	onlinetest.Advance(t, l, 0, 20)
	vectors.Check(online.ReadSnapshot(bytes.NewReader(onlinetest.Snapshot(t, l)), again))
	if got := again.Tally(); got != l.Tally() || got.Episodes != 20 {
		t.Errorf("the tally comes back as %+v, want %+v", got, l.Tally())
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := l.Advance(ctx, 20, 40); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v, want %v", err, context.Canceled)
	}
}
