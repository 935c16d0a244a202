package search_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	rules2048 "plyfit/game/2048"
	"plyfit/game/connect4"
	"plyfit/game/gametest"
	"plyfit/game/pig"
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

// BenchmarkMany is the speed of a node of each search with many values: three
// players' pig, connect four and 2048, by the evaluation that knows
// nothing.
func BenchmarkMany(b *testing.B) {
	type rules func(*game.Options) (*game.Game, error)
	for _, c := range []struct {
		name  string
		rules rules
		spec  string
		make  func(search.Options) (search.Agent, error)
		depth int
	}{
		{"maxn/pig", pig.New, "pig:players=3", searchtest.MaxNOf, 5},
		{"maxn/connect4", connect4.New, "connect4", searchtest.MaxNOf, 6},
		{"paranoid/pig", pig.New, "pig:players=3", searchtest.ParanoidOf, 5},
		{"paranoid/connect4", connect4.New, "connect4", searchtest.ParanoidOf, 8},
		{"mcts/connect4", connect4.New, "connect4", searchtest.MctsOf(mcts.Options{Simulations: 20000}), 0},
		{"mcts/2048", rules2048.New, "2048", searchtest.MctsOf(mcts.Options{Simulations: 20000}), 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := gametest.New(b, c.rules, c.spec)
			a, err := c.make(search.Options{Game: g, Eval: search.Zero(g), Depth: c.depth})
			if err != nil {
				b.Fatal(err)
			}
			s := g.New()
			for s.Turn() == game.Chance {
				s.Play(s.Moves(nil)[0])
			}
			nodes := int64(0)
			b.ReportAllocs()
			for b.Loop() {
				r, err := a.Search(context.Background(), s)
				if err != nil {
					b.Fatal(err)
				}
				nodes += r.Nodes
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
		})
	}
}
