package catalog_test

import (
	"context"
	"fmt"

	"plyfit/catalog"
)

// This example parses the specs of a world and an agent, and lets expectimax with the hand-written
// evaluation choose a move in 2048.
func Example() {
	w, err := catalog.All().World("2048:size=3")
	if err != nil {
		panic(err)
	}
	player, err := w.Agent("expectimax:depth=2,eval=handwritten", catalog.AgentOptions{})
	if err != nil {
		panic(err)
	}
	agent, err := player.New()
	if err != nil {
		panic(err)
	}
	s, err := w.Parse("012/001/010 player 4")
	if err != nil {
		panic(err)
	}
	r, err := agent.Search(context.Background(), s)
	if err != nil {
		panic(err)
	}
	fmt.Println(s.MoveString(r.Move), r.Depth)
	// Output:
	// U 2
}

// An error in a spec is reported together with the expected values.
func ExampleCatalog_World() {
	for _, spec := range []string{"tictactoe+slip=0.2", "2048+adversary", "pig:players=9", "ludo"} {
		w, err := catalog.All().World(spec)
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		fmt.Printf("%s: %d players\n", w.Spec, w.Players)
	}
	// Output:
	// tictactoe+slip=0.2: 2 players
	// 2048+adversary: 2 players
	// pig:players=9: 9 players
	// error: unknown game "ludo": want one of 2048, backgammon, checkers, chess, connect4, doudizhu, kuhn, leduc, minesweeper, othello, pacman, pig, tictactoe, tree
}
