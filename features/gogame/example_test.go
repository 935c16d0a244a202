package gogame_test

import (
	"plyfit/features/featuretest"
	"plyfit/features/gogame"
	rules "plyfit/game/gogame"
)

// Black, to move, has a stone in the middle of a small board.
func ExampleSets() {
	featuretest.Print(rules.New, gogame.Sets, "go/classic", "go:size=5,komi=0", "5/5/2X2/5/5 X")
	// Output:
	// stones 1.00
	// chains 1.00
	// liberties 4.00
	// area 24.00
	// counted 25.00
	// height 2.00
	// tempo 1.00
}
