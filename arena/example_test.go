package arena_test

import (
	"context"
	"fmt"

	"plyfit/arena"
	"plyfit/game"
	"plyfit/game/tictactoe"
	"plyfit/search"
)

// Two agents play fifty pairs of tic-tac-toe.
func ExampleRun() {
	g, err := tictactoe.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	searching := func(depth int) func() (search.Agent, error) {
		return func() (search.Agent, error) {
			return search.NewAlphaBeta(search.AlphaBeta{Game: g, Eval: search.Zero(g), Depth: depth, Ties: search.Random})
		}
	}
	result, err := arena.Run(context.Background(), arena.Config{
		Game:  g,
		A:     search.Factory{Name: "deep", New: searching(9)},
		B:     search.Factory{Name: "shallow", New: searching(1)},
		Pairs: 50, Seed: 1, Workers: 2,
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Sentence)
	// Output: deep is better than shallow: 95.0% +- 2.9% of the points, Elo 511.5 (427.4 to 665.0) in 100 games (50 pairs).
}

// The counts of pairs that a match ended with, and what a test makes of them.
func ExampleSPRT_LLR() {
	counts := arena.Pentanomial{57, 265, 545, 354, 87}
	test := arena.SPRT{Low: 0, High: 5}
	lower, upper := test.Bounds()
	fmt.Printf("Elo %s, LLR %.4f in [%.4f, %.4f]\n", counts.Elo().Format("%.3f", 1), test.LLR(counts), lower, upper)
	// Output: Elo 19.810 +- 8.965, LLR 2.8973 in [-2.9444, 2.9444]
}
