package othello_test

import (
	"fmt"

	"plyfit/features/othello"
	game "plyfit/game/othello"
	"plyfit/models"
)

// The terms of a position by their names.
func ExampleClassic() {
	s, err := game.ParseTranscript("f5d6c3")
	if err != nil {
		fmt.Println(err)
		return
	}
	set := othello.Classic()
	m := models.New("othello", set.Name(), set.Blocks())
	for _, t := range set.Extract(s, s.Turn(), nil) {
		fmt.Printf("%s %.2f\n", m.Name(t.Index), t.Value)
	}
	// Output:
	// discs@0 -2.55
	// discs@1 -0.45
	// potential@0 7.65
	// potential@1 1.35
	// frontier@0 -2.55
	// frontier@1 -0.45
	// parity@0 0.85
	// parity@1 0.15
	// tempo@0 0.85
	// tempo@1 0.15
}
