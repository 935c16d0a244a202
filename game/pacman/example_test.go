package pacman_test

import (
	"fmt"

	"plyfit/game"
	"plyfit/game/pacman"
)

// A position is read, drawn, and played on: the capsule makes the ghost worth
// hunting.
func Example() {
	s, err := game.ParseSpec("pacman:layout=corridor")
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := pacman.New(s.Options)
	if err != nil {
		fmt.Println(err)
		return
	}
	state, err := g.Parse("P 6,3 G 8,3 West 0 food f1e capsules 5,3 score 12 turn pacman")
	if err != nil {
		fmt.Println(err)
		return
	}
	west, err := g.ParseMove(state, "West")
	if err != nil {
		fmt.Println(err)
		return
	}
	state.Play(west)
	drawer, _ := game.As[game.Drawer](state)
	fmt.Print(drawer.Draw(false))
	for _, m := range state.Moves(nil) {
		fmt.Printf("ghost 1: %s with probability %v\n", state.MoveString(m), state.(game.Chancer).Prob(m))
	}
	// Output:
	// ┌───────────────────────────┐
	// │ · · · · C     ω   · · · · │
	// └─────────┐   ┌─┬───────╴   │
	//           │   │ │           │
	//           └───┘ └───────────┘
	// score 11   food 8   capsules 0   ghost 1 to move   ghost 1 scared for 40
	// ghost 1: West with probability 1
}
