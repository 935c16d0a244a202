package backgammon

import "plyfit/game"

// The board as cells: a player's points 13 to 24 and his bar above, his points 12 to 1 and
// the other's bar below, so that a man hit is next to the points that he comes in on.
const (
	cellRows    = 2
	cellColumns = 13
	told        = 3 // checkers of a place that are counted; more count as three
	offAtOnce   = 3 // checkers borne off that count as one step
	offSteps    = Checkers/offAtOnce + 1
)

// Cells implements [game.Celled]. What each has borne off is beside the board.
func (s *State) Cells() game.Cells {
	return game.Cells{
		Rows: cellRows, Columns: cellColumns, States: 1 + 2*told, Symbols: ".123abc",
		Legend: "1 2 3 own checkers, 3 being three or more, a b c the opponent's, . none; the last column is the bars",
		Beside: []int{offSteps, offSteps},
	}
}

func (s *State) Fill(p game.Player, dst []uint8) {
	clear(dst)
	for k, side := range [2]*side{&s.at().sides[p], &s.at().sides[1-p]} {
		for place := uint(1); place <= Bar; place++ {
			if !side.has(place) {
				continue
			}
			at := place // as p counts: the other's bar is his point 0
			if k > 0 {
				at = Bar - place
			}
			dst[cellAt(at)] = uint8(k*told + min(side.count(int(place)), told))
		}
		dst[cellRows*cellColumns+k] = uint8(side.count(Off) / offAtOnce)
	}
}

// cellAt is the cell of a place from 0, the other's bar, to the own bar.
func cellAt(place uint) uint {
	if place > Bar/2 {
		return place - (Bar/2 + 1)
	}
	return 2*cellColumns - 1 - place
}
