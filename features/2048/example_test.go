package g2048_test

import (
	"fmt"

	features "plyfit/features/2048"
	"plyfit/game"
	rules "plyfit/game/2048"
	"plyfit/models"
)

// The sets with their sizes, and the terms of the smallest on a board with three
// tiles.
func ExampleSets() {
	g, err := rules.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("0012/0000/0100/0000 player 0")
	if err != nil {
		panic(err)
	}
	for _, set := range features.Sets(g) {
		m := models.New(g.Name, set.Name(), set.Blocks())
		fmt.Println(set.Name(), m.Len())
		if set.Name() == "2048/basic" {
			for _, t := range set.Extract(s, 0, nil) {
				fmt.Println(m.Name(t.Index), t.Value)
			}
		}
	}
	// Output:
	// 2048/lines 42
	// 2048/basic 2
	// score 0
	// empty 13
	// 2048/4x6 67108865
}
