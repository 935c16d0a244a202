package connect4_test

import (
	"fmt"

	"plyfit/game"
	"plyfit/game/connect4"
)

// A position is the columns played so far. Whoever plays into the fourth column
// here has four in a row.
func Example() {
	g, err := connect4.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("112233")
	if err != nil {
		panic(err)
	}
	m, err := g.ParseMove(s, "4")
	if err != nil {
		panic(err)
	}
	s.Play(m)
	fmt.Println("over:", s.Turn() == game.Nobody, "first player gets", s.Utility(0))
	fmt.Println(s)
	// Output:
	// over: true first player gets 1
	// 1122334
}
