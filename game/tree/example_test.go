package tree_test

import (
	"fmt"

	"plyfit/game"
	"plyfit/game/tree"
)

// The position is a tree in which max chooses among three nodes at which min moves. The example
// computes the minimax value of each of max's moves.
func Example() {
	g, err := tree.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("(max (min 3 12 8) (min 2 4 6) (min 14 5 2))")
	if err != nil {
		panic(err)
	}
	for _, m := range s.Moves(nil) {
		s.Play(m)
		least := 0.0
		for i, reply := range s.Moves(nil) {
			s.Play(reply)
			if u := s.Utility(0); i == 0 || u < least {
				least = u
			}
			s.Undo()
		}
		s.Undo()
		fmt.Println("move", s.MoveString(m), "is worth", least)
	}
	// Output:
	// move 1 is worth 3
	// move 2 is worth 2
	// move 3 is worth 2
}
