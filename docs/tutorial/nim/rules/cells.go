package rules

import "plyfit/game"

// digits are enough for the largest heap in binary.
const digits = 10

// Cells implements [game.Celled]: the heap in binary, a digit to a cell.
func (s *State) Cells() game.Cells { return game.Cells{Rows: 1, Columns: digits, States: 2} }

// Fill implements [game.Celled]: the same to both players.
func (s *State) Fill(_ game.Player, dst []uint8) {
	for i := range dst {
		dst[i] = uint8(s.Stones >> i & 1)
	}
}
