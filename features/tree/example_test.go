package tree_test

import (
	"plyfit/features/featuretest"
	"plyfit/features/tree"
	rules "plyfit/game/tree"
)

// The textbook's tree, before anything is searched.
func ExampleSets() {
	featuretest.Print(rules.New, tree.Sets, "tree/leaves", "tree", "(max (min 3 12 8) (min 2 4 6) (min 14 5 2))")
	// Output:
	// leaf-mean 6.22
	// leaf-max 14.00
	// leaf-min 2.00
	// random-play 6.22
	// to-move 1.00
}
