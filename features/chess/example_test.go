package chess_test

import (
	"plyfit/features/chess"
	"plyfit/features/featuretest"
	rules "plyfit/game/chess"
)

// White has a rook for a pawn. Nearly all pieces are gone, so the second of the two
// weights of each term counts most.
func ExampleSets() {
	featuretest.Print(rules.New, chess.Sets, "chess/material", "chess", "4k3/pppppppp/8/8/8/8/PPPPPPP1/R3K3 w Q - 0 1")
	// Output:
	// pawn@0 -0.08
	// pawn@1 -0.92
	// rook@0 0.08
	// rook@1 0.92
}
