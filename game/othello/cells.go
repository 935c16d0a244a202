package othello

import (
	"encoding/binary"

	"plyfit/game"
)

func (s *State) Cells() game.Cells { return cells }

var cells = game.Cells{
	Rows: 8, Columns: 8, States: 3, Symbols: ".+-", Legend: "+ own disc, - the opponent's, . empty",
	Symmetries: game.Symmetries(8, 8),
}

// Fill implements [game.Celled], row by row from a1: 0 nothing, 1 a disc of p's, 2 one of
// the other's.
func (s *State) Fill(p game.Player, dst []uint8) {
	own, other := s.Discs()
	if p > 0 {
		own, other = other, own
	}
	// Eight squares at a time.
	for r := 0; r < 64; r += 8 {
		binary.LittleEndian.PutUint64(dst[r:], Spread(own>>r)|Spread(other>>r)<<1)
	}
}

// Spread puts bit i of the lowest byte into bit 8*i of a word: the product spreads the
// bits over the bytes, the masks pick one in each, the sum carries it to the top.
func Spread(b uint64) uint64 {
	b = b & 0xff * 0x0101010101010101 & 0x8040201008040201
	return (b + 0x00406070787c7e7f) >> 7 & 0x0101010101010101
}
