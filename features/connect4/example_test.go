package connect4_test

import (
	"plyfit/features/connect4"
	"plyfit/features/featuretest"
	rules "plyfit/game/connect4"
)

// The first player has three stones in a row, with room on both sides. The terms are
// in the view of the second, who is to move.
func ExampleSets() {
	featuretest.Print(rules.New, connect4.Sets, "connect4/threats", "connect4", "44556")
	// Output:
	// tempo 1.00
	// double-threat -1.00
	// threes -2.00
	// twos 2.00
	// ones 4.00
	// lines-through 2.00
	// midway -1.00
	// low-rows -1.00
	// safe-moves 7.00
}
