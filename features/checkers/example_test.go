package checkers_test

import (
	"plyfit/features/checkers"
	"plyfit/features/featuretest"
	rules "plyfit/game/checkers"
)

// Three against three, and one of black's is a king.
func ExampleSets() {
	featuretest.Print(rules.New, checkers.Sets, "checkers/material", "checkers", "B:W21,22,23:B1,2,K14")
	// Output:
	// men -1.00
	// kings 1.00
}
