package connect4_test

import (
	"fmt"

	"plyfit/features/connect4"
	"plyfit/game"
	rules "plyfit/game/connect4"
	"plyfit/models"
)

// The first player has three stones in a row, with room on both sides. The terms are
// in the view of the second, who is to move.
func ExampleSets() {
	g, err := rules.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("44556")
	if err != nil {
		panic(err)
	}
	set := connect4.Sets(g)[0]
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, t := range set.Extract(s, set.View(s), nil) {
		fmt.Printf("%s %v\n", m.Name(t.Index), t.Value)
	}
	// Output:
	// tempo 1
	// double-threat -1
	// threes -2
	// twos 2
	// ones 4
	// lines-through 2
	// midway -1
	// low-rows -1
	// safe-moves 7
}
