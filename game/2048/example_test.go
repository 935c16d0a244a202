package g2048_test

import (
	"fmt"

	"plyfit/game"
	g2048 "plyfit/game/2048"
)

// Tiles are written by their exponents: 1 is a 2, 2 is a 4. A slide to the left
// makes one 4 of two 2s, and then nature puts a tile on an empty cell.
func Example() {
	g, err := g2048.New(game.NewOptions("2048", "size=2"))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("11/02 player 0")
	if err != nil {
		panic(err)
	}
	s.Play(g2048.Left)
	fmt.Println(s)
	nature, _ := game.As[game.Chancer](s)
	for _, m := range s.Moves(nil) {
		fmt.Printf("%s with probability %.2f\n", s.MoveString(m), nature.Prob(m))
	}
	// Output:
	// 20/20 chance 4
	// 12=1 with probability 0.45
	// 12=2 with probability 0.05
	// 22=1 with probability 0.45
	// 22=2 with probability 0.05
}
