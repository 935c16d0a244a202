package kuhn_test

import (
	"fmt"

	"plyfit/features/kuhn"
	"plyfit/game"
	rules "plyfit/game/kuhn"
	"plyfit/models"
)

// The highest card, with a bet to answer.
func ExampleSets() {
	g, err := rules.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("2 0 pb")
	if err != nil {
		panic(err)
	}
	set := kuhn.Sets(g)[0]
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, t := range set.Extract(s, 0, nil) {
		fmt.Printf("%s %v\n", m.Name(t.Index), t.Value)
	}
	// Output:
	// card 1
	// card-stake 1
	// facing 1
	// card-facing 1
	// rivals 1
	// card-rivals 1
	// tempo 1
	// card-tempo 1
}
