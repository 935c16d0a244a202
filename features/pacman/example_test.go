package pacman_test

import (
	"fmt"

	"plyfit/features/pacman"
	"plyfit/game"
	rules "plyfit/game/pacman"
	"plyfit/models"
)

// The terms of the simple set at the start of a game.
func ExampleSets() {
	g, err := rules.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s := g.New()
	set := pacman.Sets(g)[1]
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, t := range set.Extract(s, set.View(s), nil) {
		fmt.Printf("%s %.2f\n", m.Name(t.Index), t.Value)
	}
	// Output:
	// eats-food 0.10
	// closest-food 0.00
}
