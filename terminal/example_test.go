package terminal_test

import (
	"context"
	"os"
	"strings"

	"plyfit/catalog"
	"plyfit/terminal"
)

// A person types a move, asks what the moves are worth, and leaves.
func ExamplePlay() {
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		panic(err)
	}
	p := terminal.Play{World: w, Agent: "alphabeta:depth=9", In: strings.NewReader("5\nhint\nquit\n"), Out: os.Stdout}
	if err := p.Run(context.Background()); err != nil {
		panic(err)
	}
	// Output:
	// eval=best is tictactoe/handwritten, the strongest that is shipped
	//  1 │ 2 │ 3     X first
	// ───┼───┼───
	//  4 │ 5 │ 6     O second
	// ───┼───┼───
	//  7 │ 8 │ 9     X to move
	// X> 5
	// O plays 1   value 0   line 1 2 8 7 3 9 4 6
	// [O]│ 2 │ 3     X first
	// ───┼───┼───
	//  4 │ X │ 6     O second
	// ───┼───┼───
	//  7 │ 8 │ 9     X to move
	// X> hint
	// 2   value 0   line 2 8 6 4 7 3 9
	// X> quit
	// left off at O...X.... X
}

// The end of a game between two agents.
func ExampleWatch() {
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		panic(err)
	}
	watch := terminal.Watch{World: w, Agents: []string{"alphabeta:depth=9"}, Position: "XX.OO.... X", Out: os.Stdout}
	if err := watch.Run(context.Background()); err != nil {
		panic(err)
	}
	// Output:
	// eval=best is tictactoe/handwritten, the strongest that is shipped
	// XX.OO.... X
	//  X │ X │ 3     X first
	// ───┼───┼───
	//  O │ O │ 6     O second
	// ───┼───┼───
	//  7 │ 8 │ 9     X to move
	//
	// XXXOO.... -
	//  X │ X │[X]    X first
	// ───┼───┼───
	//  O │ O │ 6     O second
	// ───┼───┼───
	//  7 │ 8 │ 9     X wins
	// X plays 3   value 1 for X   depth 1, 6 nodes
	// line 3
	// over: X wins
}

// What player 1 knows of a game in which cards are hidden: neither the other's card, nor
// what the other thinks of it.
func ExampleWatch_hidden() {
	w, err := catalog.All().World("kuhn")
	if err != nil {
		panic(err)
	}
	watch := terminal.Watch{World: w, Agents: []string{"pimc:samples=4,eval=handwritten"}, Position: "0 2", Of: 2, Out: os.Stdout}
	if err := watch.Run(context.Background()); err != nil {
		panic(err)
	}
	// Output:
	// ? 2
	//
	// ? 2 b
	// player 0 plays bet
	//
	// 0 2 bb
	//   player 0  card 0  chips oo
	//   player 1  card 2  chips oo
	// player 1 plays bet   value 2 for player 1   depth 1, 12 nodes
	// line bet
	// over: player 1 wins by 2 points
}
