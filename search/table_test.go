package search_test

import (
	"math"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
	"testing"
)

// TestEachDepthHasItsPlace: in pig a one sends play back to where it was, so that
// a position stands in one tree at many depths. Were they to drive each other out
// of the table, a search of depth 12 would be thirty times as large as it is.
func TestEachDepthHasItsPlace(t *testing.T) {
	g := world(t, "pig")
	answer := func(c search.Options) search.Result {
		t.Helper()
		c.Game, c.Eval = g, search.Zero(g)
		return searchtest.Ask(t, search.NewExpectimax, c, g.New())
	}
	plain, kept := answer(search.Options{Depth: 6, Table: -1, Prune: search.NoPrune}), answer(search.Options{Depth: 6})
	if math.Abs(plain.Value-kept.Value) > 1e-12 || plain.Move != kept.Move {
		t.Errorf("depth 6: %v by move %v, without a table %v by move %v", kept.Value, kept.Move, plain.Value, plain.Move)
	}
	shallow, deep := answer(search.Options{Depth: 6}), answer(search.Options{Depth: 12})
	// Six decisions more: paths grow 7^6-fold, and by half of that in the exponent
	// where bounds cut well.
	if deep.Nodes > 128*shallow.Nodes {
		t.Errorf("%d nodes at depth 12, %d at depth 6: they grow like paths, not like positions", deep.Nodes, shallow.Nodes)
	}
}

// TestEpisodesDoNotTouch: what an agent finds in an episode is what a new agent
// finds, to the node and the bit, whatever it searched in those before.
func TestEpisodesDoNotTouch(t *testing.T) {
	g := world(t, "pig")
	make := func() search.Agent {
		a := searchtest.Made(t, search.NewExpectimax, search.Options{Game: g, Eval: search.Zero(g), Depth: 7})
		return a
	}
	positions := []string{"0 0 turn 0 player 0", "40 62 turn 9 player 1", "91 80 turn 4 player 0", "95 97 turn 0 player 1", "60 90 turn 12 player 0"}
	used := make()
	for episode, text := range positions {
		used.Begin(uint64(episode))
		fresh := make()
		fresh.Begin(uint64(episode))
		for _, p := range append([]string{text}, positions...) {
			if got, want := searchtest.Again(t, used, vectors.Must(g.Parse(p))), searchtest.Again(t, fresh, vectors.Must(g.Parse(p))); got.Nodes != want.Nodes || got.Value != want.Value || got.Move != want.Move {
				t.Errorf("episode %d, %q: %d nodes, value %.17g; a new agent needs %d and says %.17g", episode, p, got.Nodes, got.Value, want.Nodes, want.Value)
			}
		}
	}
}
