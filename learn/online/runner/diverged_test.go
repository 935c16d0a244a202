package runner

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/learn/online/bootstrap"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/learn/online/optimiser"
	"plyfit/learn/online/td"
	"plyfit/models"
	"plyfit/search"
)

// patterns are learners whose weights are those of a table, but for the bias,
// with nothing to hold them: no link, and a step size far too large.
func patterns(t *testing.T, alpha float64) map[string]online.Learner {
	task := func(settings features.Training) online.Task {
		g, set := onlinetest.Set(t, "othello", "othello/patterns")
		return online.Task{Training: settings, Game: g, Set: set, Model: models.New(g.Name, set.Name(), set.Blocks()), Seed: 1}
	}
	differences, err := td.New(task(features.Training{Alpha: alpha, Openings: 4, Batch: 1}))
	if err != nil {
		t.Fatal(err)
	}
	c := task(features.Training{Method: bootstrap.RootStrap, Step: optimiser.Plain, Alpha: alpha, Openings: 4, Batch: 16})
	c.Planner = func(eval search.Evaluator, o search.Observer) (func() (search.Agent, error), error) {
		return func() (search.Agent, error) {
			return search.NewAlphaBeta(search.Options{Game: c.Game, Eval: eval, Depth: 1, Observer: o})
		}, nil
	}
	searching, err := bootstrap.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]online.Learner{"td": differences, "rootstrap": searching}
}

// TestDivergingTable: a run whose table runs away ends with one line that says
// so, and leaves no checkpoint to go on from.
func TestDivergingTable(t *testing.T) {
	for name, l := range patterns(t, 1e30) {
		dir := t.TempDir()
		g, _ := onlinetest.Set(t, "othello", "othello/patterns")
		_, err := Run(context.Background(), Options{Learner: l, Game: g, Episodes: 60, Dir: dir})
		var diverged *online.DivergedError
		if !errors.As(err, &diverged) || diverged.Alpha != 1e30 {
			t.Errorf("%s: %v, want that learning diverges with alpha 1e30", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, CheckpointFile)); !os.IsNotExist(err) {
			t.Errorf("%s: a checkpoint of weights that are no numbers: %v", name, err)
		}
	}
}

// TestUnreadWeight: a weight of a table that is infinite is found before it is
// written, though no position has read it.
func TestUnreadWeight(t *testing.T) {
	for name, l := range patterns(t, 0.01) {
		onlinetest.Advance(t, l, 0, 2)
		if err := l.Snapshot(io.Discard); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		table := l.Model().Table
		table[len(table)-1] = float32(math.Inf(1))
		var diverged *online.DivergedError
		if err := l.Snapshot(io.Discard); !errors.As(err, &diverged) || diverged.What == "" {
			t.Errorf("%s: %v, want that learning diverges", name, err)
		}
	}
}
