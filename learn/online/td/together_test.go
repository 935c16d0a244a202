package td

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"plyfit/learn/online"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/learn/online/optimiser"
	"plyfit/models"
)

// together makes a learner of 2048 over tables of five cells, by temporal coherence.
func together(t testing.TB, threads int) *Learner {
	return learner(t, "2048", "2048/4x5", func(c *Options) {
		c.Model.Weights[0] = 1 // the score
		c.Frozen = []int32{0, models.Bias}
		c.Steps = optimiser.Steps{Rule: optimiser.TC, Alpha: 1, AverageFrom: -1}
		c.Lambda, c.Threads = 0.5, threads
	})
}

// TestThreads: two threads without locks play every episode once, and learn per game
// as well as one: the mean scores of the last 500 of 1,500 games (100 of 300 in short)
// differ by no more than four standard errors and a twentieth.
func TestThreads(t *testing.T) {
	games := 1500
	if testing.Short() {
		games = 300
	}
	var mean, spread [2]float64
	for k, threads := range []int{1, 2} {
		l := together(t, threads)
		onlinetest.Advance(t, l, 0, 2*games/3)
		before := l.Tally()
		onlinetest.Advance(t, l, 2*games/3, games)
		if got := l.Tally().Episodes; got != games {
			t.Errorf("%d threads: %d episodes, want %d", threads, got, games)
		}
		last := l.Tally().Since(before)
		n := float64(last.Episodes)
		mean[k] = last.Sum / n
		spread[k] = math.Sqrt((last.Squares/n - mean[k]*mean[k]) / n)
	}
	if most := 4*math.Hypot(spread[0], spread[1]) + mean[0]/20; math.Abs(mean[1]-mean[0]) > most {
		t.Errorf("two threads come to %.0f, one to %.0f: want a difference of %.0f at most", mean[1], mean[0], most)
	}
}

// TestThreadsGoOn: what threads have learned is in the snapshot, with the clock of the
// last episode; a run that was told to stop says so.
func TestThreadsGoOn(t *testing.T) {
	l, again := together(t, 2), together(t, 1)
	onlinetest.Advance(t, l, 0, 20)
	if err := again.Restore(strings.NewReader(string(onlinetest.Snapshot(t, l)))); err != nil {
		t.Fatal(err)
	}
	if got := again.Tally(); got != l.Tally() || got.Episodes != 20 {
		t.Errorf("the tally comes back as %+v, want %+v", got, l.Tally())
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := l.Advance(ctx, 20, 40); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v, want %v", err, context.Canceled)
	}
}

// TestThreadsRefused: threads want tables alone, and no batches.
func TestThreadsRefused(t *testing.T) {
	for want, c := range map[string]struct {
		set   string
		batch int
	}{
		"want a set of pattern tables": {set: "2048/lines"},
		"want one of them":             {set: "2048/4x5", batch: 4},
	} {
		g, set := onlinetest.Set(t, "2048", c.set)
		m := models.New("2048", set.Name(), set.Blocks())
		_, err := New(Options{
			Task:  online.Task{Game: g, Set: set, Model: m, Frozen: []int32{0, models.Bias}},
			Steps: optimiser.Steps{Alpha: 0.1, AverageFrom: -1}, Batch: c.batch, Threads: 2,
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s in batches of %d: %v, want %q", c.set, c.batch, err, want)
		}
	}
}
