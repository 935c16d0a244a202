package rules

import "plyfit/game"

// digits is the number of binary digits for the largest heap.
const digits = 10

// Cells implements [game.Celled]. The heap is a binary number with one digit per cell.
func (s *State) Cells() game.Cells { return game.Cells{Rows: 1, Columns: digits, States: 2} }

// Fill implements [game.Celled]. The cells are the same for both players.
func (s *State) Fill(_ game.Player, dst []uint8) {
	for i := range dst {
		dst[i] = uint8(s.Stones >> i & 1)
	}
}
