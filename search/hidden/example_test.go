package hidden_test

import (
	"context"
	"fmt"

	"plyfit/game"
	"plyfit/game/poker"
	"plyfit/search"
	"plyfit/search/hidden"
)

// A player with the highest card calls a bet, and a player with the lowest card folds. Both moves
// are best in every position that could be the true one.
func ExampleNewPIMC() {
	g, err := poker.NewKuhn(new(game.Options))
	if err != nil {
		panic(err)
	}
	minimax, err := search.NewMinimax(search.Options{Game: g.Open(), Eval: search.Zero(g), Depth: 4})
	if err != nil {
		panic(err)
	}
	a, err := hidden.NewPIMC(hidden.PIMC{Game: g, Agent: minimax, Samples: 50})
	if err != nil {
		panic(err)
	}
	for _, position := range []string{"2 1 pb", "0 1 pb"} {
		s, err := g.Parse(position)
		if err != nil {
			panic(err)
		}
		r, err := a.Search(context.Background(), s)
		if err != nil {
			panic(err)
		}
		fmt.Println(s.(game.HiddenState).Info(0), s.MoveString(r.Move), r.Value)
	}
	// Output:
	// 2 ? pb bet 2
	// 0 ? pb pass -1
}
