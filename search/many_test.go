package search_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
	"plyfit/search/mcts"
)

// TestNothingIsAllocatedPerNode compares a short search with a long one.
func TestNothingIsAllocatedPerNode(t *testing.T) {
	sh := searchtest.Shape{Players: 3, Sum: game.Zero, Chance: .3, Height: 8}
	g := sh.Game(sh.Grow(rand.New(rand.NewPCG(3, 37))))
	short := search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: 1}
	long := search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: 6}
	for name, make := range map[string]func(search.Options) (search.Agent, error){"maxn": searchtest.MaxNOf, "paranoid": searchtest.ParanoidOf, "mcts": searchtest.MctsOf(mcts.Options{Simulations: 100000, Exploration: 1})} {
		count := func(c search.Options) (nodes int64, allocations float64) {
			a, s := searchtest.Made(t, make, c), g.New()
			run := func() {
				r, err := a.Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				nodes = r.Nodes
			}
			for range 3 {
				run()
			}
			return nodes, testing.AllocsPerRun(5, run)
		}
		few, little := count(short)
		many, much := count(long)
		if much > little+8 { // a longer line is written to the result
			t.Errorf("%s: %v allocations in %d nodes, %v in %d", name, little, few, much, many)
		}
	}
}
