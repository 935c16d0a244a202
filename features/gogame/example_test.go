package gogame_test

import (
	"fmt"

	"plyfit/features/gogame"
	"plyfit/game"
	rules "plyfit/game/gogame"
	"plyfit/models"
)

// Black, to move, has a stone in the middle of a small board.
func ExampleClassic() {
	g, err := rules.New(game.NewOptions("go", "size=5", "komi=0"))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("5/5/2X2/5/5 X")
	if err != nil {
		panic(err)
	}
	set := gogame.Classic()
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, t := range set.Extract(s, set.View(s), nil) {
		fmt.Printf("%s %v\n", m.Name(t.Index), t.Value)
	}
	// Output:
	// stones 1
	// chains 1
	// liberties 4
	// area 24
	// counted 25
	// height 2
	// tempo 1
}
