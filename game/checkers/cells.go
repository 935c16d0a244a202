package checkers

import (
	"math/bits"

	"plyfit/game"
)

// Cells implements [game.Celled]: the board as each player has it before him, his own men
// in the first rows at the start.
func (s *State) Cells() game.Cells { return cells }

var cells = game.Cells{
	Rows: 8, Columns: 8, Upward: true, States: 5, Symbols: ".oOxX",
	Legend: "o own man, O own king, x the opponent's man, X his king, . empty",
	Holes:  lightSquares(),
}

func lightSquares() (light []int) {
	for i := range 64 {
		if (i/8+i%8)%2 == 0 {
			light = append(light, i)
		}
	}
	return light
}

func (s *State) Fill(p game.Player, dst []uint8) {
	clear(dst)
	at := &s.line[s.ply]
	turn := 63 * int(p&1) // the second player's board is turned half round
	for side, men := range at.men {
		what := uint8(1 + 2*(side^int(p&1)))
		for set := men; set != 0; set &= set - 1 {
			bit := set & -set
			cell := cellOf[bits.TrailingZeros64(bit)]
			dst[int(cell)^turn] = what
			if at.kings&bit != 0 {
				dst[int(cell)^turn]++
			}
		}
	}
}

// cellOf is the cell of a bit: square 1 is the second of the first row.
var cellOf = func() (cell [64]uint8) {
	for n := 1; n < len(bitOf); n++ {
		row := (n - 1) / 4
		cell[bitOf[n]] = uint8(8*row + 2*((n-1)%4) + 1 - row%2)
	}
	return cell
}()
