package loop

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/learn/fit"
	"plyfit/models"
)

// TestChain: the first round learns outcomes from games of who knows nothing; each later
// one TD returns, drawn to the best model before it; early rounds have a planner of their
// own. A run that improves upon a model has none of them.
func TestChain(t *testing.T) {
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	r := w.Recipe()
	r.Training, r.Trials = nil, nil
	r.Rounds, r.Episodes, r.EarlyRounds, r.Early, r.Planner = 3, 60, 2, "alphabeta:depth=1", "alphabeta:depth=2"
	r.Returns, r.Penalty, r.Chain, r.Quiet = 0.8, 0.01, true, true
	r.Planners, r.Pairs, r.TwinPairs = []string{"alphabeta:depth=1"}, 4, 2
	dir := t.TempDir()
	c := Options{Catalog: catalog.All(), World: w, Recipe: r, Seed: 1, Workers: 1, Dir: dir, Log: io.Discard, Quiet: true}
	o, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		agent, label string
		prior        bool
	}{
		{r.First, "outcome", false},
		{"alphabeta:depth=1,", "td:0.8", true},
		{"alphabeta:depth=2,", "td:0.8", true},
	} {
		f, err := models.Load(filepath.Join(dir, "round-"+string(rune('1'+i)), "model.json"))
		if err != nil {
			t.Fatal(err)
		}
		p := f.Provenance
		if !strings.HasPrefix(o.Rounds[i].Agent, strings.Split(want.agent, ",eval")[0]) {
			t.Errorf("round %d: played by %s, want %s", i+1, o.Rounds[i].Agent, want.agent)
		}
		if p.Label != want.label {
			t.Errorf("round %d: label %s, want %s", i+1, p.Label, want.label)
		}
		if got := p.Prior != "" && p.Prior != "none"; got != want.prior {
			t.Errorf("round %d: drawn to %q, want a model: %v", i+1, p.Prior, want.prior)
		}
	}
	r, err = w.Improving(r, "handwritten")
	if err != nil {
		t.Fatal(err)
	}
	if r.Rounds != 1 || r.EarlyRounds != 0 || r.Returns != 0.8 || r.Prior != "handwritten" {
		t.Errorf("improving: %+v, want the last round alone, drawn to the model", r)
	}
}

// TestEarlyEpisodes: early rounds have fewer episodes.
func TestEarlyEpisodes(t *testing.T) {
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	r := w.Recipe()
	r.Training, r.Trials = nil, nil
	r.Rounds, r.Episodes, r.EarlyRounds, r.EarlyEpisodes, r.Early, r.Planner = 2, 60, 1, 30, "alphabeta:depth=1", "alphabeta:depth=2"
	r.Planners, r.Pairs, r.TwinPairs = []string{"alphabeta:depth=1"}, 4, 2
	dir := t.TempDir()
	o, err := Run(context.Background(), Options{Catalog: catalog.All(), World: w, Recipe: r, Seed: 3, Workers: 1, Dir: dir, Log: io.Discard, Quiet: true})
	if err != nil {
		t.Fatal(err)
	}
	for k, round := range o.Rounds {
		if want := map[bool]int{true: 30, false: 60}[k == 0]; int(round.Data.Episodes) != want {
			t.Errorf("round %d: %d episodes, want %d", k+1, round.Data.Episodes, want)
		}
	}
}

// TestLateSet: late rounds are fitted over the late set, by the recipe's method, and the
// first of them is drawn to what early rounds learned over fewer features; so is a round
// that improves an evaluation. What ships has the late set's features.
func TestLateSet(t *testing.T) {
	w, err := catalog.All().World("chess")
	if err != nil {
		t.Fatal(err)
	}
	c := Options{Catalog: catalog.All(), World: w, Recipe: w.Recipe(), Seed: 1, Workers: 1}
	c.Recipe.EarlyRounds, c.Recipe.LateSet, c.Recipe.Method, c.Recipe.Steps = 2, "chess/wide", "lbfgs", 7
	check := func(k int, before, set string, method *fit.Method, steps int) {
		t.Helper()
		o, err := c.fitOptions(k, before)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := w.Set(o.Set); got.Name() != set || o.Prior.Features != set || o.Method != method || o.Steps != steps {
			t.Errorf("round %d: by %v, %d steps, over %q, drawn to a model over %s: want %v, %d and %s", k, o.Method, o.Steps, o.Set, o.Prior.Features, method, steps, set)
		}
	}
	check(2, "chess/handwritten", "chess/classic", nil, 0)
	check(3, "chess/handwritten", "chess/wide", fit.LBFGS, 7)
	if got := c.sets(); len(got) != 1 || got[0] != "chess/wide" {
		t.Errorf("ships a model over %v, want chess/wide", got)
	}
	if c.Recipe, err = w.Improving(c.Recipe, "chess/material"); err != nil {
		t.Fatal(err)
	}
	check(1, c.Recipe.Prior, "chess/wide", fit.LBFGS, 7)
}
