package td

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/learn/online"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/models"
)

// TestRestart: each restart begins after half of the plies between the last beginning and
// the last end, on the same line of play, and comes to an end of its own, until so few
// decisions are left; slips and the other side's moves make no difference.
func TestRestart(t *testing.T) {
	for _, world := range [][2]string{{"2048", "2048/lines"}, {"connect4+slip=0.3", "connect4/lines"}, {"pig:target=20,players=3", "pig/scores"}} {
		t.Run(world[0], func(t *testing.T) {
			l := learner(t, world[0], world[1], func(c *online.Task) { c.Epsilon = 0.2 })
			a, e := l.actors[0], &l.games[0]
			a.game.Keep = true
			restarts := 0
			for n := range 20 {
				a.play(n, e)
				line := slices.Clone(a.game.Moves)
				for begin, most := 0, e.moves; ; most = e.moves {
					if restarted := a.restart(4, e); restarted != (most > 4) {
						t.Fatalf("game %d: restarted=%v after %d decisions", n, restarted, most)
					} else if !restarted {
						break
					}
					restarts++
					begin += (len(line) - begin) / 2
					line = append(line[:begin], a.game.Moves...)
					s := l.cfg.Game.New()
					for _, m := range line {
						s.Play(m.Move)
					}
					if a.from != begin || s.Hash() != a.game.State.Hash() || a.game.Plies != len(line) {
						t.Fatalf("game %d: a restart at ply %d that ends at %s, want ply %d and %s", n, a.from, a.game.State, begin, s)
					}
					if s.Turn() != game.Nobody {
						t.Fatalf("game %d: a restart that comes to no end, but to %s", n, s)
					}
				}
			}
			if restarts < 20 {
				t.Errorf("%d restarts of 20 games", restarts)
			}
		})
	}
}

// TestEpsilonFade: the share of random moves falls evenly from epsilon to nothing and
// stays there.
func TestEpsilonFade(t *testing.T) {
	l := learner(t, "connect4", "connect4/lines", func(c *online.Task) { c.Epsilon, c.EpsilonFade = 0.8, 100 })
	for n, want := range map[int]float64{0: 0.8, 25: 0.6, 50: 0.4, 100: 0, 150: 0} {
		l.actors[0].play(n, &l.games[0])
		if got := l.actors[0].epsilon; math.Abs(got-want) > 1e-15 {
			t.Errorf("epsilon of episode %d is %v, want %v", n, got, want)
		}
		if explored := slices.ContainsFunc(l.games[0].steps, func(s step) bool { return s.explored }); explored && want == 0 {
			t.Errorf("episode %d has a random move", n)
		}
	}
}

// TestRestartCounts: restarts are learned from but are no episodes, whose outcomes are
// what they would be without.
func TestRestartCounts(t *testing.T) {
	restarting := func(restart int) *Learner {
		return learner(t, "2048", "2048/4x5", func(c *online.Task) {
			c.Model.Weights[0] = 1 // the score
			c.Frozen = []int32{0, models.Bias}
			c.TC, c.Alpha = true, 1
			c.Lambda, c.Restart = 0.5, restart
		})
	}
	plain, l := restarting(0), restarting(10)
	for _, l := range []*Learner{plain, l} {
		onlinetest.Advance(t, l, 0, 1)
	}
	if a, b := plain.Tally(), l.Tally(); a.Episodes != 1 || b.Episodes != 1 || a.Sum != b.Sum || b.Moves < 3*a.Moves/2 || b.Samples < 3*a.Samples/2 {
		t.Errorf("one game: %+v without restarts and %+v with them", a, b)
	}
}

// together makes a learner of 2048 over tables of five cells, by temporal coherence.
func together(t testing.TB, threads int) *Learner {
	return learner(t, "2048", "2048/4x5", func(c *online.Task) {
		c.Model.Weights[0] = 1 // the score
		c.Frozen = []int32{0, models.Bias}
		c.TC, c.Alpha = true, 1
		c.Lambda, c.Threads = 0.5, threads
	})
}

// TestThreads: two threads without locks play every episode once, and learn: in the last
// third of 1,500 games (300 in short) they score more than one thread did before it had
// played a third of them. Runs differ by more than the scores within one tell, and which
// changes get lost is the machine's choice, so that no closer bound holds every time.
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

// TestThreadsGoOn: what threads have learned is in the snapshot, with the clock of the
// last episode; a run that was told to stop says so.
func TestThreadsGoOn(t *testing.T) {
	l, again := together(t, 2), together(t, 1)
	onlinetest.Advance(t, l, 0, 20)
	vectors.Check(again.Restore(strings.NewReader(string(onlinetest.Snapshot(t, l)))))
	if got := again.Tally(); got != l.Tally() || got.Episodes != 20 {
		t.Errorf("the tally comes back as %+v, want %+v", got, l.Tally())
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := l.Advance(ctx, 20, 40); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v, want %v", err, context.Canceled)
	}
}
