package backgammon_test

import (
	"fmt"

	"plyfit/features/backgammon"
	"plyfit/game"
	rules "plyfit/game/backgammon"
	"plyfit/models"
)

// A race in which both sides lack 45 pips: the first of the terms is the roll.
func ExampleRich() {
	g, err := rules.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("XGID=-CCCCC--------------ccccc-:0:0:1:00:0:0:0:0:10")
	if err != nil {
		panic(err)
	}
	set := backgammon.Rich()
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, t := range set.Extract(s, set.View(s), nil) {
		fmt.Printf("%s %.2g\n", m.Name(t.Index), t.Value)
	}
	// Output:
	// race-win -0.19
	// race-tempo -1
	// race-gammon -2e-08
}
