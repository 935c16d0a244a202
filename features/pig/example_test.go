package pig_test

import (
	"fmt"

	"plyfit/features/pig"
	"plyfit/game"
	rules "plyfit/game/pig"
	"plyfit/models"
)

// The smaller set: who is ahead, and what the turn has brought so far.
func ExampleSets() {
	g, err := rules.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("34 57 turn 12 player 0")
	if err != nil {
		panic(err)
	}
	set := pig.Sets(g)[1]
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, t := range set.Extract(s, set.View(s), nil) {
		fmt.Printf("%s %.2f\n", m.Name(t.Index), t.Value)
	}
	// Output:
	// tempo 1.00
	// lead -0.23
	// turn 0.60
}
