package minesweeper_test

import (
	"fmt"

	"plyfit/features/minesweeper"
	"plyfit/game"
	rules "plyfit/game/minesweeper"
	"plyfit/models"
)

// What the numbers say about a small board.
func ExampleSets() {
	g, err := rules.New(game.NewOptions("minesweeper", "rows=3", "columns=4", "mines=2"))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("12../1.../....")
	if err != nil {
		panic(err)
	}
	set := minesweeper.Sets(g)[0]
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, t := range set.Extract(s, set.View(s), nil) {
		fmt.Printf("%s %.2f\n", m.Name(t.Index), t.Value)
	}
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
