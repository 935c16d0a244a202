package g2048

import "plyfit/game"

// Cells implements [game.Celled]: the exponents of the tiles, as far as they go on a
// board of this size.
func (s *State) Cells() game.Cells {
	return game.Cells{
		Rows: s.size, Columns: s.size, States: min(s.size*s.size+1, maxExponent) + 1,
		Legend:     "powers of two: 1 is the tile 2, a is 1024, 0 empty",
		Symmetries: game.Symmetries(s.size, s.size),
	}
}

// Fill implements [game.Celled]. Tiles that no one can come to on a board of this size
// count as the largest that one can.
func (s *State) Fill(_ game.Player, dst []uint8) {
	b, most := s.at().board, uint8(min(s.size*s.size+1, maxExponent))
	for r := range s.size {
		row := uint16(b >> (16 * r))
		for c := range s.size {
			dst[r*s.size+c] = min(uint8(row>>(4*c)&15), most)
		}
	}
}
