package terminal_test

import (
	"context"
	"os"
	"strings"

	"plyfit/catalog"
	"plyfit/internal/terminal"
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
