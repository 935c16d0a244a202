package tree_test

import (
	"fmt"

	"plyfit/features/tree"
	"plyfit/game"
	rules "plyfit/game/tree"
	"plyfit/models"
)

// The textbook's tree, before anything is searched.
func ExampleLeaves() {
	g, err := rules.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("(max (min 3 12 8) (min 2 4 6) (min 14 5 2))")
	if err != nil {
		panic(err)
	}
	set := tree.Leaves()
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, t := range set.Extract(s, set.View(s), nil) {
		fmt.Printf("%s %.2f\n", m.Name(t.Index), t.Value)
	}
	// Output:
	// leaf-mean 6.22
	// leaf-max 14.00
	// leaf-min 2.00
	// random-play 6.22
	// to-move 1.00
}
