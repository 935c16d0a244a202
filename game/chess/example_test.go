package chess_test

import (
	"fmt"

	"plyfit/game"
	"plyfit/game/chess"
)

// The example parses a position, lists its noisy moves in both notations, and plays the move with
// the highest rank. The queen could also take a pawn, but it would then be lost.
func Example() {
	s, err := chess.ParsePosition("startpos moves e4 d5 Nc3 dxe4 Nxe4 Bf5 Qf3")
	if err != nil {
		fmt.Println(err)
		return
	}
	best := game.NoMove
	for _, m := range s.Noisy(nil) {
		fmt.Println(s.MoveString(m), chess.SAN(s, m))
		if best == game.NoMove || s.Rank(m) > s.Rank(best) {
			best = m
		}
	}
	s.Play(best)
	fmt.Println(s)
	// Output:
	// f5e4 Bxe4
	// rn1qkbnr/ppp1pppp/8/8/4b3/5Q2/PPPP1PPP/R1B1KBNR w KQkq - 0 5
}
