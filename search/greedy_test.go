package search_test

import (
	"testing"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

func TestGreedyTiesFollowTheSeed(t *testing.T) {
	root := &searchtest.Sprig{ID: 1, Eval: []float64{0}}
	for i := range 5 {
		root.Kids = append(root.Kids, &searchtest.Sprig{ID: i + 2, Turn: game.Nobody, Ends: []float64{float64(i % 2)}})
	}
	g := searchtest.Shape{Players: 1, Sum: game.General}.Game(root)
	drawn := map[game.Move]bool{}
	a := searchtest.Made(t, searchtest.GreedyOf, search.Options{Game: g, Eval: searchtest.SprigEval{}, Ties: search.Random})
	for seed := range uint64(40) {
		r := searchtest.Seeded(t, a, seed, g.New())
		drawn[r.Move] = true
	}
	if len(drawn) != 2 || !drawn[1] || !drawn[3] {
		t.Errorf("drawn among equals: %v; want 1 and 3", drawn)
	}
}

func TestFinishedRoot(t *testing.T) {
	end := &searchtest.Sprig{ID: 1, Turn: game.Nobody, Ends: []float64{2, -2}}
	g := searchtest.Shape{Players: 2, Sum: game.Zero}.Game(end)
	cfg := search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: 3}
	for name, a := range map[string]search.Agent{"greedy": searchtest.Made(t, searchtest.GreedyOf, cfg), "maxn": searchtest.Made(t, searchtest.MaxNOf, cfg)} {
		if r := searchtest.Search(t, a, g.New()); r.Move != game.NoMove || r.Value != 2 || !r.Exact || len(r.PV) > 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := searchtest.Ask(t, searchtest.RandomOf, cfg, g.New()); r.Move != game.NoMove {
		t.Errorf("random: %+v", r)
	}
}
