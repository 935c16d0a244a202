package evolution

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/learn/online"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/models"
	"plyfit/search"
)

// oneply returns a planner that searches one decision ahead.
func oneply(g *game.Game) online.Planner {
	return func(e search.Evaluator, _ search.Observer) (func() (search.Agent, error), error) {
		return func() (search.Agent, error) { return search.NewGreedy(search.Options{Game: g, Eval: e}) }, nil
	}
}

// connect4 returns a task for connect four.
func connect4(t testing.TB) online.Task {
	c := onlinetest.Task(t, "connect4", "connect4/lines")
	c.Alpha, c.Batch, c.Planner = 0.5, 10, oneply(c.Game)
	return c
}

// learner returns a learner for a task.
func learner(t testing.TB, c online.Task) *Learner {
	t.Helper()
	return vectors.Must(New(c))
}

// TestCommonLuck checks that candidates that play the same moves get exactly the same result
// because they get the same dice rolls. In different generations the dice rolls must differ.
func TestCommonLuck(t *testing.T) {
	task := onlinetest.Task(t, "pig:target=50", "pig/scores")
	task.Alpha, task.Batch, task.Epsilon, task.Planner = 0.5, 40, 0.7, oneply(task.Game)
	l := learner(t, task)
	rivals := slices.Repeat([]*models.Linear{l.at(l.dist.mean)}, task.Batch/2)
	fitness := func(generation int) (all [3]float64) {
		population := make([]candidate, len(all))
		for k := range population {
			population[k].x = make([]float64, len(l.dist.mean))
			for i := range population[k].x {
				population[k].x[i] = float64(i%3) - 1
			}
		}
		vectors.Check((&round{Learner: l, number: generation, opponents: rivals}).play(context.Background(), population))
		for k := range all {
			all[k] = population[k].fitness
		}
		return all
	}
	a, b := fitness(0), fitness(1)
	if a[0] != a[1] || a[0] != a[2] || a[0] == b[0] {
		t.Errorf("the same candidate got %v in one generation and %v in the next", a, b)
	}
}

// TestNoise checks that luck shared by all candidates in a pair is not treated as noise.
func TestNoise(t *testing.T) {
	points := [][]float64{{0, 1, 1, 0}, {1, 1, 0, 0.5}, {0.5, 0, 1, 1}}
	want := Noise(points)
	for i := range points {
		for k, luck := range []float64{3, -2, 0, 5} {
			points[i][k] += luck
		}
	}
	if got := Noise(points); want <= 0 || math.Abs(got-want) > 1e-12 {
		t.Errorf("noise %v, with luck for all %v", want, got)
	}
}

// TestSeats checks that a candidate's fitness against itself is exactly 0 over a pair's two seats.
func TestSeats(t *testing.T) {
	task := connect4(t)
	task.Batch, task.Openings, task.Alpha = 20, 6, 1
	l := learner(t, task)
	c := make([]candidate, 1)
	c[0].x = make([]float64, len(l.dist.mean))
	for i := range c[0].x {
		c[0].x[i] = float64(i%3) - 1
	}
	same := make([]*models.Linear, 10)
	for i := range same {
		same[i] = l.at(c[0].x)
	}
	vectors.Check((&round{Learner: l, opponents: same}).play(context.Background(), c))
	if c[0].fitness != 0 || c[0].tally.Squares == 0 {
		t.Errorf("fitness %v against itself, tally %+v: want 0, of games that someone won", c[0].fitness, c[0].tally)
	}
}

// TestRepeats interrupts runs between generations. Parts of a generation must be rejected.
func TestRepeats(t *testing.T) {
	c := connect4(t)
	c.Batch, c.Openings, c.Epsilon, c.Episodes, c.Average = 2, 4, 0.1, 2, 0.5
	onlinetest.Repeats(t, c, New, 8, (*Learner).Generation)
	if err := learner(t, c).Advance(context.Background(), 0, 1); err == nil || !strings.Contains(err.Error(), "whole generations") {
		t.Errorf("part of a generation: %v", err)
	}
}

// TestFrozen checks that frozen weights do not change and that, in two-player games, neither does
// the bias. A weight that is not frozen must change.
func TestFrozen(t *testing.T) {
	c := connect4(t)
	c.Batch, c.Openings, c.Frozen, c.Model.Weights[2], c.Model.Bias = 2, 4, []int32{2}, 0.125, 0.5
	l := learner(t, c)
	onlinetest.Advance(t, l, 0, 2*l.Generation())
	m := l.Model()
	if m.Weights[2] != 0.125 || m.Bias != 0.5 || m.Weights[0] == 0 {
		t.Errorf("weights %v, bias %v", m.Weights[:3], m.Bias)
	}
}

func TestRefused(t *testing.T) {
	onlinetest.Refuses(t, func() online.Task {
		c := connect4(t)
		c.Model.Link = models.Link{Kind: models.Identity}
		return c
	}, New, map[string]func(c *online.Task){
		"alpha=-1: want a number above 0":                     func(c *online.Task) { c.Alpha = -1 },
		"population=3: want a whole number from 4 to 1048576": func(c *online.Task) { c.Population = 3 },
		"batch=-2: want a whole number from 1 to 4096":        func(c *online.Task) { c.Batch = -2 },
		"batch=3: want an even number":                        func(c *online.Task) { c.Batch = 3 },
		"label=wins:2: want a number from 0 to 1":             func(c *online.Task) { c.Wins = 2 },
		"want a model with link":                              func(c *online.Task) { c.Wins = 1 },
		"openings=-1: want a whole number of at least 0":      func(c *online.Task) { c.Openings = -1 },
		"evolution needs at least one weight": func(c *online.Task) {
			for i := range c.Model.Weights {
				c.Frozen = append(c.Frozen, int32(i))
			}
		},
	})
}
