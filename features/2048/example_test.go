package g2048_test

import (
	features "plyfit/features/2048"
	"plyfit/features/featuretest"
	rules "plyfit/game/2048"
)

// The smallest of the sets on a board with three tiles.
func ExampleSets() {
	featuretest.Print(rules.New, features.Sets, "2048/basic", "2048", "0012/0000/0100/0000 player 0")
	// Output:
	// score 0.00
	// empty 13.00
}
