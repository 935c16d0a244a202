package tictactoe_test

import (
	"fmt"

	"plyfit/features/tictactoe"
	"plyfit/game"
	rules "plyfit/game/tictactoe"
	"plyfit/models"
)

// X threatens to complete a diagonal. It is O's turn, and the terms are in O's view.
func ExampleLines() {
	g, err := rules.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("XO..X.... O")
	if err != nil {
		panic(err)
	}
	set := tictactoe.Lines()
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, t := range set.Extract(s, set.View(s), nil) {
		fmt.Printf("%s %v\n", m.Name(t.Index), t.Value)
	}
	// Output:
	// tempo 1
	// must-block -1
	// twos -1
	// ones -3
	// centre -1
	// corners -1
	// edges 1
}
