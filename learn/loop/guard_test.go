package loop

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/features"
	"plyfit/learn/online/runner"
	"plyfit/models"
)

// guarded is a run of one stage of tic-tac-toe that ends with a match against its middle.
func guarded(t *testing.T, stage features.Training) Options {
	t.Helper()
	c := trainingRun(t, t.TempDir(), 1)
	c.Recipe.Training = []features.Training{stage}
	c.Recipe.Pairs, c.Recipe.Openings = 60, 2
	return c
}

// TestGuard: a training whose steps overshoot is worse at its end than in its middle, and
// the model of the middle ships, which is that of half as many games; one that learns
// ships its end.
func TestGuard(t *testing.T) {
	const games = 4800
	for _, c := range []struct {
		alpha  float64
		middle bool
	}{{0.1, false}, {1.4, true}} {
		run := guarded(t, features.Training{Episodes: games, Lambda: 0.7, Alpha: c.alpha, Link: models.Identity, Epsilon: 0.3})
		o, err := Run(context.Background(), run)
		if err != nil {
			t.Fatal(err)
		}
		s := &o.Stages[0]
		if s.Guard == nil || s.Guard.Pairs != 60 || s.Middle != c.middle || s.Middle != (s.Guard.Conclusion == arena.BetterB) {
			t.Fatalf("alpha %v: middle %v after %+v", c.alpha, s.Middle, s.Guard)
		}
		said := strings.Contains(strings.Join(o.Findings(), " "), "clearly worse than it was after half of its games")
		page, err := os.ReadFile(filepath.Join(run.Dir, "report.html"))
		if err != nil {
			t.Fatal(err)
		}
		if said != c.middle || !strings.Contains(string(page), "half of its games") {
			t.Errorf("alpha %v: said: %v, want %v", c.alpha, said, c.middle)
		}
		want := games
		if c.middle {
			want = games / 2
		}
		if o.Learned.Provenance.Episodes != want {
			t.Errorf("alpha %v: a model of %d games ships, want %d", c.alpha, o.Learned.Provenance.Episodes, want)
		}
		for _, name := range []string{middleModel, runner.CheckpointFile} {
			if _, err := os.Stat(filepath.Join(run.Dir, "stage-1", name)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("stage-1/%s is left (%v)", name, err)
			}
		}
	}
}
