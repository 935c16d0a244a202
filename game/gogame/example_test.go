package gogame_test

import (
	"fmt"

	"plyfit/game"
	"plyfit/game/gogame"
)

// White has taken a stone in a ko. Black may not take back at once: the board was
// there before.
func Example() {
	g, err := gogame.New(game.NewOptions("go", "size=4", "score=points"))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("4/1XO1/X1XO/1XO1 O moves B2")
	if err != nil {
		panic(err)
	}
	_, err = g.ParseMove(s, "C2")
	fmt.Println(err != nil, len(s.Moves(nil)))
	s.Play(gogame.Pass)
	s.Play(gogame.Pass)
	fmt.Println(s.Turn() == game.Nobody, s.Utility(0))
	// Output:
	// true 8
	// true -2
}
