package pig_test

import (
	"plyfit/features/featuretest"
	"plyfit/features/pig"
	rules "plyfit/game/pig"
)

// The smaller set: who is ahead, and what the turn has brought so far.
func ExampleSets() {
	featuretest.Print(rules.New, pig.Sets, "pig/scores", "pig", "34 57 turn 12 player 0")
	// Output:
	// tempo 1.00
	// lead -0.23
	// turn 0.60
}
