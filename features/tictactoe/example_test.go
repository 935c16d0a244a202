package tictactoe_test

import (
	"plyfit/features/featuretest"
	"plyfit/features/tictactoe"
	rules "plyfit/game/tictactoe"
)

// X threatens to complete a diagonal. It is O's turn, and the terms are in O's view.
func ExampleSets() {
	featuretest.Print(rules.New, tictactoe.Sets, "tictactoe/lines", "tictactoe", "XO..X.... O")
	// Output:
	// tempo 1.00
	// must-block -1.00
	// twos -1.00
	// ones -3.00
	// centre -1.00
	// corners -1.00
	// edges 1.00
}
