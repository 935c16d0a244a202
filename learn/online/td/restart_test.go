package td

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/game"
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
// what they would be without; a learner that goes on from a snapshot ends with the same
// bytes.
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
	onlinetest.Advance(t, l, 1, 20)
	middle := restarting(10)
	if err := middle.Restore(bytes.NewReader(onlinetest.Snapshot(t, l))); err != nil {
		t.Fatal(err)
	}
	for _, l := range []*Learner{l, middle} {
		onlinetest.Advance(t, l, 20, 30)
	}
	if !bytes.Equal(onlinetest.Snapshot(t, l), onlinetest.Snapshot(t, middle)) {
		t.Error("a learner that goes on from a snapshot ends elsewhere")
	}
}

// TestOptionsRefused: restarts want one game at a time, and a fading epsilon one that is
// not 0.
func TestOptionsRefused(t *testing.T) {
	g, set := onlinetest.Set(t, "2048", "2048/4x5")
	for _, c := range []struct {
		restart, fade, batch int
		want                 string
	}{{10, 0, 4, "restart=10"}, {-1, 0, 1, "restart=-1"}, {0, 100, 1, "epsilon-fade=100"}, {0, -1, 1, "epsilon-fade=-1"}} {
		o := online.Task{
			Training: features.Training{Alpha: 0.1, Batch: c.batch, Restart: c.restart, EpsilonFade: c.fade},
			Game:     g, Set: set, Model: models.New("2048", set.Name(), set.Blocks()), Frozen: []int32{0, models.Bias},
		}
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want one that names %s", c, err, c.want)
		}
	}
}
