package cfr

import (
	"math"
	"testing"

	"plyfit/features"
	"plyfit/internal/vectors"
	"plyfit/learn/online"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/equilibrium"
	"plyfit/search/policy"
)

// taskOf returns a valid task.
func taskOf(t testing.TB, world, set string) online.Task {
	t.Helper()
	c := onlinetest.Task(t, world, set)
	c.Model.Link = models.Link{Kind: models.Identity}
	c.Training = features.Training{Method: "cfr", Link: models.Identity}
	return c
}

// learner returns a learner for the feature set.
func learner(t testing.TB, world, set string) *Learner {
	t.Helper()
	return vectors.Must(New(taskOf(t, world, set)))
}

// lost returns the expected loss of the model's softmax policy against its worst opponent.
func lost(t testing.TB, l *Learner) float64 {
	t.Helper()
	tree := vectors.Must(equilibrium.NewTree(t.Context(), l.cfg.Game))
	p := vectors.Must(policy.NewSoftmax(search.Options{Game: l.cfg.Game, Eval: features.NewEvaluator(l.cfg.Game, l.cfg.Set, l.Model())}, 0, 0))
	return tree.Exploitability(tree.Follow(p)).Exploitability
}

// TestNearAnEquilibrium checks that the model plays the average strategy if there is a column for
// each information set. With fewer terms the model must be harder to exploit than zero weights.
func TestNearAnEquilibrium(t *testing.T) {
	for _, c := range []struct {
		world, set  string
		iterations  int
		least, most float64
	}{
		{"kuhn", "kuhn/infosets", 1000, 0, 0.001},
		{"leduc", "leduc/infosets", 300, 0, 0.03},
		{"kuhn", "kuhn/hand", 200, 0.001, 0.2},  // zero weights lose 0.458
		{"leduc", "leduc/hand", 200, 0.03, 1.5}, // zero weights lose 2.374
	} {
		l := learner(t, c.world, c.set)
		onlinetest.Advance(t, l, 0, c.iterations)
		if got := lost(t, l); got < c.least || got > c.most {
			t.Errorf("%s after %d iterations: exploitability %v, want from %v to %v", c.set, c.iterations, got, c.least, c.most)
		}
		if c.least > 0 {
			continue
		}
		played := l.solver.Exploitability(l.solver.Average()).Exploitability
		if got := lost(t, l); math.Abs(got-played) > 1e-3 {
			t.Errorf("%s: the softmax loses %v, the strategy that it is fitted to %v", c.set, got, played)
		}
	}
}

// TestValues checks that the learned values are in chips. In the equilibria of Kuhn poker the first
// player loses 1/18 of a chip, and a fold costs one chip.
func TestValues(t *testing.T) {
	l := learner(t, "kuhn", "kuhn/infosets")
	onlinetest.Advance(t, l, 0, 1000)
	e := features.NewEvaluator(l.cfg.Game, l.cfg.Set, l.Model())
	sum := 0.0
	for _, deal := range []string{"0 1", "1 2", "2 0"} { // player 0 knows only player 0's card
		s := vectors.Must(l.cfg.Game.Parse(deal))
		sum += e.Evaluate(s, 0) / 3
	}
	if math.Abs(sum+1./18) > 1e-3 {
		t.Errorf("player 0 expects %v, want -1/18", sum)
	}
	s := vectors.Must(l.cfg.Game.Parse("0 1 pbp"))
	if v := e.Evaluate(s, 0); math.Abs(v+1) > 1e-2 {
		t.Errorf("a fold of the lowest card is worth %v, want -1", v)
	}
}

func TestRepeats(t *testing.T) {
	onlinetest.Repeats(t, taskOf(t, "kuhn", "kuhn/infosets"), New, 2, func(*Learner) int { return 30 })
}

func TestRefused(t *testing.T) {
	onlinetest.Refuses(t, func() online.Task { return taskOf(t, "kuhn", "kuhn/hand") }, New, map[string]func(c *online.Task){
		"two-player zero-sum game": func(c *online.Task) { *c = taskOf(t, "doudizhu", "doudizhu/hand") },
		"of imperfect information": func(c *online.Task) { *c = taskOf(t, "tictactoe", "tictactoe/lines") },
		"link identity":            func(c *online.Task) { c.Model.Link.Kind = models.Tanh },
		"starts from zero weights": func(c *online.Task) { c.Model.Weights[0] = 1 },
	})
}
