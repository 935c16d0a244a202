package checkers_test

import (
	"fmt"

	"plyfit/game/checkers"
)

// Jumps are forced, and every path of a jump is a move of its own.
func ExampleParsePosition() {
	s, err := checkers.ParsePosition("W:WK25:B22,14,15,23")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range s.Moves(nil) {
		fmt.Println(s.MoveString(m))
	}
	// Output:
	// 25x18x27
	// 25x18x11
	// 25x18x9
}
