package td

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"plyfit/learn/online"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/learn/online/optimiser"
	"plyfit/models"
)

// replicas makes replicas over a model of zeros.
func replicas(t testing.TB, world, set string, n, games int, change func(c *Options)) *Replicas {
	t.Helper()
	g, s := onlinetest.Set(t, world, set)
	m := models.New(g.Name, s.Name(), s.Blocks())
	c := Options{Task: online.Task{Game: g, Set: s, Model: m, Seed: 1, Epsilon: 0.1}, Steps: optimiser.Steps{Alpha: 0.1, AverageFrom: -1}}
	if change != nil {
		change(&c)
	}
	r, err := NewReplicas(c, n, games)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestReplicas: replicas learn the same with any number of workers, and go on from a
// snapshot as if nothing had been.
func TestReplicas(t *testing.T) {
	for _, world := range [][2]string{{"connect4", "connect4/lines"}, {"othello", "othello/2-tuples"}, {"2048:size=3", "2048/lines"}} {
		for _, rule := range []optimiser.StepRule{optimiser.Plain, optimiser.TC} {
			t.Run(fmt.Sprint(world[0], rule), func(t *testing.T) {
				three := func(workers int) *Replicas {
					return replicas(t, world[0], world[1], 3, 2, func(c *Options) { c.Rule, c.Workers = rule, workers })
				}
				whole := three(1)
				onlinetest.Advance(t, whole, 0, 20) // the last round is short
				want := onlinetest.Snapshot(t, whole)
				several := three(3)
				onlinetest.Advance(t, several, 0, 20)
				if !bytes.Equal(onlinetest.Snapshot(t, several), want) {
					t.Error("three workers learn something else")
				}
				begun, resumed := three(2), three(2)
				onlinetest.Advance(t, begun, 0, 12)
				if err := resumed.Restore(bytes.NewReader(onlinetest.Snapshot(t, begun))); err != nil {
					t.Fatal(err)
				}
				onlinetest.Advance(t, resumed, 12, 20)
				if !bytes.Equal(onlinetest.Snapshot(t, resumed), want) {
					t.Error("a run that was cut learns something else")
				}
				if n := whole.Tally().Episodes; n != 20 {
					t.Errorf("%d episodes were counted, want 20", n)
				}
			})
		}
	}
}

// TestRoundIsMean: a round moves each weight by the mean of what learners by themselves
// move it by, of those that touch it.
func TestRoundIsMean(t *testing.T) {
	for _, world := range [][2]string{{"connect4", "connect4/lines"}, {"othello", "othello/2-tuples"}} {
		const n, games = 3, 2
		together := replicas(t, world[0], world[1], n, games, nil)
		onlinetest.Advance(t, together, 0, n*games)
		var alone []*models.Linear
		for k := range n {
			l := learner(t, world[0], world[1], func(c *Options) { c.Model.Link, c.Epsilon = models.Link{}, 0.1 })
			onlinetest.Advance(t, l, k*games, (k+1)*games)
			alone = append(alone, l.Model())
		}
		got, shared := together.Model(), 0
		mean := func(at func(m *models.Linear) float64) {
			sum, moved := 0.0, 0
			for _, m := range alone {
				if v := at(m); v != 0 {
					sum += v
					moved++
				}
			}
			if moved > 1 {
				shared++
			}
			if want := sum / math.Max(1, float64(moved)); math.Abs(at(got)-want) > 1e-6*math.Abs(want) {
				t.Errorf("%s: %v, want the mean %v of %d replicas", world[0], at(got), want, moved)
			}
		}
		mean(func(m *models.Linear) float64 { return m.Bias })
		for i := range got.Weights {
			mean(func(m *models.Linear) float64 { return m.Weights[i] })
		}
		for i := range got.Table {
			mean(func(m *models.Linear) float64 { return float64(m.Table[i]) })
		}
		if shared < 5 {
			t.Errorf("%s: %d weights were touched by several replicas, want more", world[0], shared)
		}
	}
}

// TestReplicasFaults: what replicas cannot do is refused.
func TestReplicasFaults(t *testing.T) {
	g, s := onlinetest.Set(t, "connect4", "connect4/lines")
	for name, c := range map[string]Options{
		"batch":   {Batch: 2, Steps: optimiser.Steps{AverageFrom: -1}},
		"average": {Steps: optimiser.Steps{AverageFrom: 0}},
	} {
		c.Task = online.Task{Game: g, Set: s, Model: models.New(g.Name, s.Name(), s.Blocks())}
		if _, err := NewReplicas(c, 2, 1); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}
