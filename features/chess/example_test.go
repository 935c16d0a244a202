package chess_test

import (
	"fmt"

	"plyfit/features/chess"
	"plyfit/game"
	rules "plyfit/game/chess"
	"plyfit/models"
)

// White has a rook for a pawn. Nearly all pieces are gone, so the second of the two
// weights of each term counts most.
func ExampleMaterial() {
	g, err := rules.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("4k3/pppppppp/8/8/8/8/PPPPPPP1/R3K3 w Q - 0 1")
	if err != nil {
		panic(err)
	}
	set := chess.Material()
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, t := range set.Extract(s, set.View(s), nil) {
		fmt.Printf("%s %.2f\n", m.Name(t.Index), t.Value)
	}
	// Output:
	// pawn@0 -0.08
	// pawn@1 -0.92
	// rook@0 0.08
	// rook@1 0.92
}
