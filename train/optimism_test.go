package train

import (
	"testing"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
)

// TestOptimism: the tables say the same of every position at first, which is what was
// asked for, beside the frozen score; so the recipe says.
func TestOptimism(t *testing.T) {
	w, err := catalog.All().World("2048")
	if err != nil {
		t.Fatal(err)
	}
	o, err := Defaults(w, nil, "2048/4x5")
	if err != nil {
		t.Fatal(err)
	}
	o.Init.Optimism = 3200
	p, err := newPlan(w, o)
	if err != nil {
		t.Fatal(err)
	}
	s := game.Base(w.Game.New())
	at := make([]int32, 32)
	p.Task.Set.(features.Placer).Indices(s, 0, at)
	var worth float32
	for _, i := range at {
		worth += p.Task.Model.Table[i]
	}
	if worth != 3200 {
		t.Errorf("the first position is worth %v, want 3200", worth)
	}
	if got := p.Init.String(); got != "zero, optimism 3200" {
		t.Errorf("the recipe says %q", got)
	}
}
