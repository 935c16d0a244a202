package connect4

import (
	"math/bits"

	"plyfit/game"
)

// What a cell holds in a player's view.
const (
	closed   = iota // empty, with an empty cell below
	playable        // empty, the next stone of its column goes there
	ownStone
	otherStone
	fillings
)

// Cells implements [game.Celled]. A cell that can be played now is distinguished from others that
// are empty: what a threat is worth depends on it.
func (s *State) Cells() game.Cells {
	return game.Cells{
		Rows: s.rules.rows, Columns: s.columns, Upward: true, States: fillings, Symbols: "._+-",
		Legend:     "+ own stone, - the opponent's, _ playable, . empty above an empty cell",
		Symmetries: game.Symmetries(s.rules.rows, s.columns)[:2], Apart: true,
	}
}

// Fill implements [game.Celled], row by row from below.
func (s *State) Fill(p game.Player, dst []uint8) {
	own, other := s.Stones()
	if p > 0 {
		own, other = other, own
	}
	clear(dst)
	s.put(dst, own, ownStone)
	s.put(dst, other, otherStone)
	s.put(dst, s.Playable(), playable)
}

// put writes what stands on these cells.
func (s *State) put(dst []uint8, set uint64, what uint8) {
	for ; set != 0; set &= set - 1 {
		dst[s.cell[bits.TrailingZeros64(set)]] = what
	}
}
