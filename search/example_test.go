package search_test

import (
	"context"
	"fmt"

	"plyfit/game"
	"plyfit/game/tree"
	"plyfit/search"
)

// The tree is figure 5.2 in Russell and Norvig. The first move is worth 3. A single leaf below the
// second move is enough to prove that this move is not better.
func ExampleNewAlphaBeta() {
	g, err := tree.New(game.NewOptions("tree"))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("(max (min 3 12 8) (min 2 4 6) (min 14 5 2))")
	if err != nil {
		panic(err)
	}
	agent, err := search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: 2, Order: search.Natural, Table: -1})
	if err != nil {
		panic(err)
	}
	r, err := agent.Search(context.Background(), s)
	if err != nil {
		panic(err)
	}
	fmt.Println("move", s.MoveString(r.Move), "value", r.Value, "nodes", r.Nodes)
	for _, m := range r.Root {
		fmt.Println(s.MoveString(m.Move), m.Value, m.Kind)
	}
	// Output:
	// move 1 value 3 nodes 11
	// 1 3 exact
	// 2 2 upper
	// 3 2 upper
}

// A coin is tossed after each move. Minimax assumes the worst outcome and expectimax averages over
// the outcomes, so they choose different moves.
func ExampleNewExpectimax() {
	g, err := tree.New(game.NewOptions("tree"))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("(max (chance 1/2 10 1/2 10) (chance 1/2 9 1/2 100))")
	if err != nil {
		panic(err)
	}
	expectimax, err := search.NewExpectimax(search.Options{Game: g, Eval: search.Zero(g), Depth: 1})
	if err != nil {
		panic(err)
	}
	minimax, err := search.NewMinimax(search.Options{Game: g, Eval: search.Zero(g), Depth: 1})
	if err != nil {
		panic(err)
	}
	for _, agent := range []search.Agent{expectimax, minimax} {
		r, err := agent.Search(context.Background(), s)
		if err != nil {
			panic(err)
		}
		fmt.Println("move", s.MoveString(r.Move), "value", r.Value)
	}
	// Output:
	// move 2 value 54.5
	// move 1 value 10
}
