package search_test

import (
	"math"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
	"testing"
)

// TestTableKeepsDepths checks that a table keeps entries for several depths of a position. In pig,
// rolling a one returns play to an earlier position, so a position occurs at many depths in one
// tree. If the entries for different depths evicted each other, a search to depth 12 would visit
// thirty times as many nodes.
func TestTableKeepsDepths(t *testing.T) {
	g := world(t, "pig")
	answer := func(c search.Options) search.Result {
		t.Helper()
		c.Game, c.Eval = g, search.Zero(g)
		return searchtest.SearchOnce(t, search.NewExpectimax, c, g.New())
	}
	plain, kept := answer(search.Options{Depth: 6, Table: -1, Prune: search.NoPrune}), answer(search.Options{Depth: 6})
	if math.Abs(plain.Value-kept.Value) > 1e-12 || plain.Move != kept.Move {
		t.Errorf("depth 6: %v by move %v, without a table %v by move %v", kept.Value, kept.Move, plain.Value, plain.Move)
	}
	shallow, deep := answer(search.Options{Depth: 6}), answer(search.Options{Depth: 12})
	// Six more decisions multiply the number of paths by 7^6, or by the square root of that if
	// pruning works well.
	if deep.Nodes > 128*shallow.Nodes {
		t.Errorf("%d nodes at depth 12, %d at depth 6: they grow like paths, not like positions", deep.Nodes, shallow.Nodes)
	}
}

// TestEpisodesAreIndependent checks that an agent's results in an episode, including the number of
// nodes, are identical to those of a new agent, although it has searched in earlier episodes.
func TestEpisodesAreIndependent(t *testing.T) {
	g := world(t, "pig")
	make := func() search.Agent {
		a := searchtest.MustAgent(t, search.NewExpectimax, search.Options{Game: g, Eval: search.Zero(g), Depth: 7})
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
