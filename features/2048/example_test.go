package g2048_test

import (
	"fmt"

	features "plyfit/features/2048"
	"plyfit/game"
	rules "plyfit/game/2048"
	"plyfit/models"
)

// The smallest of the sets on a board with three tiles.
func ExampleSets() {
	g, err := rules.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("0012/0000/0100/0000 player 0")
	if err != nil {
		panic(err)
	}
	set := features.Sets(g)[1]
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, t := range set.Extract(s, set.View(s), nil) {
		fmt.Println(m.Name(t.Index), t.Value)
	}
	// Output:
	// score 0
	// empty 13
}
