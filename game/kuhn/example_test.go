package kuhn_test

import (
	"fmt"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/game/kuhn"
)

// What each player knows of a deal, and a deal that player 0 cannot tell from it.
func Example() {
	g, err := kuhn.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("2 0 pb")
	if err != nil {
		panic(err)
	}
	h := s.(game.HiddenState)
	fmt.Println(h.Info(0))
	fmt.Println(h.Info(1))
	fmt.Println(h.Sample(0, rand.New(rand.NewPCG(4, 1))))
	// Output:
	// 2 ? pb
	// ? 0 pb
	// 2 1 pb
}
