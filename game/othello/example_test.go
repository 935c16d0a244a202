package othello_test

import (
	"fmt"
	"strings"

	"plyfit/game/othello"
)

// A transcript, played on.
func ExampleParseTranscript() {
	s, err := othello.ParseTranscript("f5d6c3d3")
	if err != nil {
		fmt.Println(err)
		return
	}
	var names []string
	for _, m := range s.Moves(nil) {
		names = append(names, s.MoveString(m))
	}
	fmt.Println(strings.Join(names, " "))
	fmt.Print(s.Draw(false))
	// Output:
	// c2 e3 c4 c5 c6 c7
	//     a b c d e f g h
	//   1                 1   ● X  4
	//   2     ·           2   ○ O  4
	//   3     ● ○ ·       3
	//   4     · ○ ●       4   ● X to move
	//   5     · ○ ● ●     5
	//   6     · ○         6
	//   7     ·           7
	//   8                 8
	//     a b c d e f g h
}
