package minesweeper_test

import (
	"fmt"

	"plyfit/game"
	"plyfit/game/minesweeper"
)

// What is known of a board of 2x4 cells with 2 mines on which one shows a 1.
func Example() {
	sp, err := game.ParseSpec("minesweeper:rows=2,columns=4,mines=2")
	if err != nil {
		panic(err)
	}
	g, err := minesweeper.New(sp.Options)
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("1.../....")
	if err != nil {
		panic(err)
	}
	b := minesweeper.Of(s).Beliefs()
	fmt.Printf("%v layouts; a mine in r1c2 with %.3f, in r1c3 with %.3f\n", b.Layouts, b.Mine[1], b.Mine[2])
	m, err := g.ParseMove(s, "r1c3")
	if err != nil {
		panic(err)
	}
	s.Play(m)
	for _, shows := range s.Moves(nil) {
		fmt.Printf("%s %.3f\n", s.MoveString(shows), minesweeper.Of(s).Prob(shows))
	}
	// Output:
	// 12 layouts; a mine in r1c2 with 0.333, in r1c3 with 0.250
	// 1 0.250
	// 2 0.500
	// mine 0.250
}
