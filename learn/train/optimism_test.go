package train

import (
	"slices"
	"testing"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/learn/online/runner"
)

// TestOptimism: the tables say the same of every position at first, which is what was
// asked for, beside the frozen score; so the recipe says.
func TestOptimism(t *testing.T) {
	w, err := catalog.All().World("2048")
	if err != nil {
		t.Fatal(err)
	}
	o, err := Defaults(w, features.Training{Set: "2048/4x5"})
	if err != nil {
		t.Fatal(err)
	}
	o.Optimism = 3200
	p, err := newPlan(w, &o)
	if err != nil {
		t.Fatal(err)
	}
	s := game.Base(w.Game.New())
	at := make([]int32, 32)
	p.Set.(features.TupleIndexer).Indices(s, 0, at)
	var worth float32
	for _, i := range at {
		worth += p.Model.Table[i]
	}
	if worth != 3200 {
		t.Errorf("the first position is worth %v, want 3200", worth)
	}
	if _, err := p.learner(); err != nil || !slices.Contains(p.Recipe, runner.RecipeItem{Key: "optimism", Value: "3200"}) {
		t.Errorf("the recipe says %v (%v)", p.Recipe, err)
	}
}
