package leduc_test

import (
	"fmt"

	"plyfit/features/leduc"
	"plyfit/game"
	rules "plyfit/game/leduc"
	"plyfit/models"
)

// What a king is worth against a raise, as its owner sees it.
func ExampleSets() {
	g, err := rules.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("Ks Qh cr")
	if err != nil {
		panic(err)
	}
	set := leduc.Sets(g)[0]
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, t := range set.Extract(s, 0, nil) {
		fmt.Printf("%s %.1f\n", m.Name(t.Index), t.Value)
	}
	// Output:
	// equity 0.4
	// equity-stake 0.4
	// stake 1.0
	// call 2.0
	// equity-call 0.8
	// tempo 1.0
	// equity-tempo 0.4
}
