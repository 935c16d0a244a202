package minesweeper_test

import (
	"plyfit/features/featuretest"
	"plyfit/features/minesweeper"
	rules "plyfit/game/minesweeper"
)

// What the numbers say about a small board.
func ExampleSets() {
	featuretest.Print(rules.New, minesweeper.Sets, "minesweeper/beliefs", "minesweeper:rows=3,columns=4,mines=2", "12../1.../....")
	// Output:
	// left 0.70
	// left-cells 0.70
	// mines-left 0.22
	// safe 1.00
	// safe-cells 0.86
	// sure-mines 0.50
	// density 0.50
	// frontier 0.42
	// outside 0.33
	// groups 1.00
	// layouts 0.10
	// bits-per-cell 0.50
	// indecision 0.40
}
