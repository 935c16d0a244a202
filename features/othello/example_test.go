package othello_test

import (
	"plyfit/features/featuretest"
	"plyfit/features/othello"
	rules "plyfit/game/othello"
)

// The terms of a position by their names.
func ExampleSets() {
	featuretest.Print(rules.New, othello.Sets, "othello/classic", "othello", "f5d6c3")
	// Output:
	// discs@0 -2.55
	// discs@1 -0.45
	// potential@0 7.65
	// potential@1 1.35
	// frontier@0 -2.55
	// frontier@1 -0.45
	// parity@0 0.85
	// parity@1 0.15
	// tempo@0 0.85
	// tempo@1 0.15
}
