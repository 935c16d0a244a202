package arena_test

import (
	"context"
	"fmt"

	"plyfit/arena"
	"plyfit/game"
	"plyfit/game/tictactoe"
	"plyfit/search"
)

// This example plays fifty pairs of tic-tac-toe between two agents.
func ExampleRun() {
	g, err := tictactoe.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	searching := func(depth int) func() (search.Agent, error) {
		return func() (search.Agent, error) {
			return search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: depth, Ties: search.Random})
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
	// Output: deep is better than shallow: 95.0% ± 2.9% of the points, Elo 511.5 (427.4 to 665.0) in 100 games (50 pairs).
}
