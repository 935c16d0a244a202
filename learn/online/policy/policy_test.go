package policy

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"plyfit/features"
	"plyfit/game"
	"plyfit/learn/online"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/models"
)

// policyOf makes a learner of small random weights.
func policyOf(t testing.TB, world, set string, change func(c *online.Task)) *Learner {
	t.Helper()
	g, fs := onlinetest.Set(t, world, set)
	m := models.New(g.Base().Name, fs.Name(), fs.Blocks())
	m.Link = models.Link{Kind: models.Tanh}
	rng := rand.New(rand.NewPCG(8, 9))
	for i := range m.Weights {
		m.Weights[i] = 0.05 * rng.NormFloat64()
	}
	c := online.Task{Training: features.Training{Alpha: 0.014, Sharp: 15, Epsilon: 0.1, Batch: 400}, Game: g, Set: fs, Model: m, Seed: 1}
	if change != nil {
		change(&c)
	}
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// expectation is what player 0 gets from s on, by the definition: each side draws
// its moves by its own weights, a tenth of them at random.
type expectation struct {
	set   features.Set
	theta [2][]float64
	known map[string]float64
}

func (e *expectation) of(s game.State) float64 {
	turn := s.Turn()
	if turn == game.Nobody {
		return s.Utility(0)
	}
	key := s.String()
	if v, ok := e.known[key]; ok {
		return v
	}
	moves := s.Moves(nil)
	sum, drawn, uniform := 0.0, 0.0, 0.0
	for _, m := range moves {
		s.Play(m)
		z := 0.0
		if s.Turn() == game.Nobody {
			z = policySure * s.Utility(turn)
		} else {
			for _, x := range e.set.Extract(s, turn, nil) {
				z += e.theta[turn][x.Index] * float64(x.Value)
			}
		}
		v := e.of(s)
		s.Undo()
		sum += math.Exp(z)
		drawn += math.Exp(z) * v
		uniform += v
	}
	v := uniform / float64(len(moves))
	if len(moves) > 1 {
		v = 0.1*v + 0.9*drawn/sum
	}
	e.known[key] = v
	return v
}

// TestPolicyGradient: the mean of A psi over games is the gradient of what the
// learner gets, which a walk over all of tic-tac-toe gives by differences.
func TestPolicyGradient(t *testing.T) {
	const games = 40000
	l := policyOf(t, "tictactoe", "tictactoe/lines", func(c *online.Task) { c.Alpha, c.Batch = 1e-9, games })
	n := len(l.theta.Weights)
	theta := append([]float64(nil), l.theta.Weights...)
	// Sums by game, for their variance.
	l.actors[0].begin([][]float64{theta})
	sums, squares := make([]float64, n), make([]float64, n)
	before := make([]float64, n)
	for e := range games {
		l.actors[0].play(e, &l.trajectories[0])
		copy(before, l.gradient)
		l.learn(&l.trajectories[0])
		for i, x := range l.gradient {
			d := x - before[i]
			sums[i] += d
			squares[i] += d * d
		}
	}
	checked := 0
	for i := range n {
		const h = 1e-4
		want := 0.0
		for learner := range 2 {
			for _, side := range []float64{1, -1} {
				e := expectation{set: l.cfg.Set, theta: [2][]float64{theta, theta}, known: map[string]float64{}}
				moved := append([]float64(nil), theta...)
				moved[i] += side * h
				e.theta[learner] = moved
				want += side * float64(1-2*learner) * e.of(l.cfg.Game.New()) / (2 * h) / 2
			}
		}
		mean := sums[i] / games
		deviation := math.Sqrt((squares[i]/games - mean*mean) / games)
		if math.Abs(mean-want) > 4*deviation+1e-6 {
			t.Errorf("%s: gradient %.5f +- %.5f, by differences %.5f", l.theta.Name(int32(i)), mean, deviation, want)
		}
		if math.Abs(want) > 6*deviation {
			checked++
		}
	}
	if checked < n/3 {
		t.Errorf("only %d of %d gradients are well above their error", checked, n)
	}
}

// TestPolicyLearns: in tic-tac-toe from random weights to a player who seldom
// loses to a random one, by choosing the best of its sums.
func TestPolicyLearns(t *testing.T) {
	l := policyOf(t, "tictactoe", "tictactoe/lines", func(c *online.Task) {
		c.Alpha, c.Batch, c.Jitter, c.Episodes, c.Average = 0.05, 100, 0.5, 8000, 0.5
	})
	score := func(m *models.Linear) float64 {
		rng := rand.New(rand.NewPCG(1, 1))
		eval := features.Unlinked{Evaluator: features.NewReference(l.cfg.Game, l.cfg.Set, m)}
		sum := 0.0
		const games = 2000
		for i := range games {
			me := game.Player(i & 1)
			s := l.cfg.Game.New()
			for s.Turn() != game.Nobody {
				moves := s.Moves(nil)
				at := rng.IntN(len(moves))
				if s.Turn() == me {
					best := math.Inf(-1)
					for k, mv := range moves {
						s.Play(mv)
						v := policySure * s.Utility(me)
						if s.Turn() != game.Nobody {
							v = eval.Evaluate(s, me)
						}
						s.Undo()
						if v > best {
							best, at = v, k
						}
					}
				}
				s.Play(moves[at])
			}
			sum += s.Utility(me)
		}
		return sum / games
	}
	first := score(l.cfg.Model)
	onlinetest.Advance(t, l, 0, 8000)
	last := score(l.Model())
	t.Logf("%.3f, after learning %.3f", first, last)
	if last < first+0.1 || last < 0.85 {
		t.Errorf("utility %.3f against random after learning, %.3f before: want at least .85 and .1 more", last, first)
	}
}

// TestPolicyCuts: neither the number of workers nor how episodes are cut into
// calls changes a bit, nor does going on from a snapshot.
func TestPolicyCuts(t *testing.T) {
	change := func(c *online.Task) {
		c.Batch, c.Jitter, c.Decay, c.Episodes, c.Average, c.Openings = 8, 1, 100, 120, 0.5, 4
	}
	for _, world := range [][2]string{{"othello:score=win", "othello/2-tuples"}, {"backgammon", "backgammon/rich"}} {
		const games = 160
		make := func(workers int, seed uint64) *Learner {
			return policyOf(t, world[0], world[1], func(c *online.Task) { change(c); c.Workers, c.Seed = workers, seed })
		}
		want := make(1, 1)
		onlinetest.Advance(t, want, 0, games)
		for _, workers := range []int{1, 3} {
			l := make(workers, 1)
			for _, cut := range [][2]int{{0, 8}, {8, 80}, {80, 96}, {96, games}} {
				onlinetest.Advance(t, l, cut[0], cut[1])
				next := make(workers, 1)
				if err := next.Restore(bytes.NewReader(onlinetest.Snapshot(t, l))); err != nil {
					t.Fatal(err)
				}
				l = next
			}
			if !bytes.Equal(onlinetest.Snapshot(t, l), onlinetest.Snapshot(t, want)) {
				t.Errorf("%s, %d workers: other weights", world[0], workers)
			}
		}
		other := make(1, 2)
		onlinetest.Advance(t, other, 0, games)
		if bytes.Equal(onlinetest.Snapshot(t, other), onlinetest.Snapshot(t, want)) {
			t.Errorf("%s: another seed gives the same weights", world[0])
		}
		for i, x := range want.Model().Weights {
			if d := x - want.cfg.Model.Weights[i]; d != 0 {
				break
			} else if i == len(want.theta.Weights)-1 {
				t.Errorf("%s: no weight moved", world[0])
			}
		}
	}
}

// TestPolicyFaults: what cannot be is said in words, and frozen weights stay.
func TestPolicyFaults(t *testing.T) {
	for _, fault := range []struct {
		world, set, want string
		change           func(c *online.Task)
	}{
		{"tictactoe", "tictactoe/lines", "alpha=-1", func(c *online.Task) { c.Alpha = -1 }},
		{"tictactoe", "tictactoe/lines", "decay=-1", func(c *online.Task) { c.Decay = -1 }},
		{"tictactoe", "tictactoe/lines", "sharp=-1", func(c *online.Task) { c.Sharp = -1 }},
		{"tictactoe", "tictactoe/lines", "jitter=-1", func(c *online.Task) { c.Jitter = -1 }},
		{"tictactoe", "tictactoe/lines", "batch=-1", func(c *online.Task) { c.Batch = -1 }},
		{"tictactoe", "tictactoe/lines", "label=wins:2", func(c *online.Task) { c.Wins = 2 }},
		{"tictactoe", "tictactoe/lines", "with a link", func(c *online.Task) { c.Model.Link = models.Link{Kind: models.Identity} }},
		{"connect4+slip=0.2", "connect4/lines", "a game of two, as it is", func(*online.Task) {}},
		{"othello", "othello/patterns", "none of them in tables", func(*online.Task) {}},
	} {
		g, set := onlinetest.Set(t, fault.world, fault.set)
		m := models.New(g.Base().Name, set.Name(), set.Blocks())
		m.Link = models.Link{Kind: models.Tanh}
		c := online.Task{Training: features.Training{Alpha: 0.014, Sharp: 15, Batch: 400}, Game: g, Set: set, Model: m}
		fault.change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), fault.want) {
			t.Errorf("error %v, want %q", err, fault.want)
		}
	}
	l := policyOf(t, "tictactoe", "tictactoe/lines", func(c *online.Task) { c.Frozen, c.Batch = []int32{1}, 50 })
	before := append([]float64(nil), l.theta.Weights...)
	onlinetest.Advance(t, l, 0, 200)
	if now := l.theta.Weights; now[1] != before[1] || slices.Equal(now, before) {
		t.Errorf("frozen %v becomes %v, all %v become %v", before[1], now[1], before, now)
	}
}

// TestPolicyLength: however sharp the learner has become, its model's sums are
// those that it chooses by, a quarter as long as the baseline's.
func TestPolicyLength(t *testing.T) {
	l := policyOf(t, "tictactoe", "tictactoe/lines", func(c *online.Task) { c.Alpha, c.Batch = 0.2, 50 })
	onlinetest.Advance(t, l, 0, 2000)
	m := l.Model()
	if got, want := floats.Norm(m.Weights, 2), floats.Norm(l.critic.Model.Weights, 2)/4; math.Abs(got/want-1) > 1e-9 {
		t.Errorf("weights of length %v, want a quarter of the baseline's, %v", got, want)
	}
	factor := m.Weights[0] / l.theta.Weights[0]
	for i, x := range l.theta.Weights {
		if math.Abs(m.Weights[i]-factor*x) > 1e-9 || !(factor > 0) {
			t.Fatalf("weight %d is %v, of %v, want %v times that", i, m.Weights[i], x, factor)
		}
	}
	if !(factor < 1/l.cfg.Sharp) {
		t.Errorf("1/%v of the weights played with: want less, or nothing was to be done", 1/factor)
	}
}

func BenchmarkPolicy(b *testing.B) {
	l := policyOf(b, "othello:score=win", "othello/2-tuples", func(c *online.Task) { c.Jitter = 1 })
	onlinetest.Advance(b, l, 0, b.N)
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "us/game")
}
