package othello

import (
	"testing"

	"plyfit/game"
)

func TestFill(t *testing.T) {
	seed := uint64(3)
	for range 1000 {
		own := game.Mix(seed)
		opp := game.Mix(own) &^ own
		seed = opp
		var board [2][64]uint8
		s := newState(own, opp, 1)
		s.Fill(0, board[0][:])
		s.Fill(1, board[1][:])
		for sq, got := range board[1] {
			if want := uint8(own>>sq&1 | opp>>sq&1<<1); got != want || board[0][sq] != [3]uint8{0, 2, 1}[want] {
				t.Fatalf("square %d of %x, %x: %d and %d, want %d for the mover", sq, own, opp, got, board[0][sq], want)
			}
		}
	}
}
