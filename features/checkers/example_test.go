package checkers_test

import (
	"fmt"

	"plyfit/features/checkers"
	"plyfit/game"
	rules "plyfit/game/checkers"
	"plyfit/models"
)

// Three against three, and one of black's is a king.
func ExampleMaterial() {
	g, err := rules.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("B:W21,22,23:B1,2,K14")
	if err != nil {
		panic(err)
	}
	set := checkers.Material()
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, t := range set.Extract(s, set.View(s), nil) {
		fmt.Printf("%s %.2f\n", m.Name(t.Index), t.Value)
	}
	// Output:
	// men -1.00
	// kings 1.00
}
