package mcts_test

import (
	"context"
	"fmt"

	"plyfit/game"
	"plyfit/game/tictactoe"
	"plyfit/search"
	"plyfit/search/mcts"
	"plyfit/search/policy"
)

// The evaluation knows nothing about the game. Rollouts find the win, and the tree proves it.
func ExampleNew() {
	g, err := tictactoe.New(game.NewOptions("tictactoe"))
	if err != nil {
		panic(err)
	}
	a, err := mcts.New(mcts.Options{Game: g, Eval: search.Zero(g), Rollout: policy.Uniform{}, Simulations: 500})
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("XX.OO.... X")
	if err != nil {
		panic(err)
	}
	r, err := a.Search(context.Background(), s)
	if err != nil {
		panic(err)
	}
	fmt.Println(s.MoveString(r.Move), r.Value, r.Exact)
	// Output: 3 1 true
}
