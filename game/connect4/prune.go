package connect4

import (
	"math/bits"

	"plyfit/game"
)

// Narrow implements [game.Solver]. If the mover cannot win immediately, it omits the moves after
// which the opponent wins immediately. If there is a threat, only the move that blocks it can
// remain (Pascal Pons' non-losing moves). After a listed move, the opponent cannot win with the
// next stone.
func (v *solver) Narrow(dst []game.Move, p game.Player) (moves []game.Move, lo, hi float64, plies int) {
	s := v.board
	at := s.at()
	mover := game.Player(s.ply & 1)
	playable := (at.all + s.floor) & s.board
	if at.end != open || s.fours(at.own)&playable != 0 {
		// The game is over, or the mover wins immediately: the upper bound is the exact value.
		_, hi = s.bounds(mover)
		lo = hi
	} else {
		threats := s.fours(at.own ^ at.all)
		safe := playable
		forced := playable & threats
		if forced != 0 {
			safe = forced
		}
		safe &^= threats >> 1 // a stone there would make a winning cell of the opponent playable
		if safe == 0 || forced&(forced-1) != 0 {
			lo, _ = s.bounds(mover)
			hi = lo
		} else {
			lo, hi = -s.second(1-mover), s.second(mover)
			for ; safe != 0; safe &= safe - 1 {
				dst = append(dst, s.lowest(safe))
			}
		}
	}
	if p != mover {
		lo, hi = -hi, -lo
	}
	return dst, lo, hi, 2
}

// second returns the highest utility that p can get without winning with the next stone. Without
// distances, it is 0 only if the game ends within two moves. A tighter bound would differ from the
// Bounds of the states after these moves, so a depth-limited search would return different values
// with and without Narrow.
func (s *State) second(p game.Player) float64 {
	played, stones := (s.ply+1-int(p))/2, (s.cells+1-int(p))/2
	switch {
	case played+2 > stones && (s.distance || s.ply+2 >= s.cells):
		return 0
	case s.distance:
		return float64(s.worth(max(played+2, 4)))
	}
	return 1
}

// lowest returns the move into the first column that has one of the given cells.
func (r *rules) lowest(cells uint64) game.Move {
	return game.Move(uint(bits.TrailingZeros64(cells)) / r.height)
}

// distance is a State with score=distance, in which an earlier win is worth more. A win is worth
// (cells+1)/2 + 1 minus the number of the winner's stones. On 7x6, this is 22 minus that number, as
// in Pascal Pons' test sets.
type distance struct{ State }

var _ game.Bounder = (*distance)(nil)

func (s *distance) Clone() game.State {
	c := &distance{s.State}
	c.root = c.ply
	return c
}

// Bounds implements [game.Bounder]. To win, a player needs at least one more stone and a line of
// four that contains none of the opponent's stones.
func (s *distance) Bounds(p game.Player) (lo, hi float64) { return s.bounds(p) }

func (s *State) bounds(p game.Player) (lo, hi float64) {
	if s.at().end != open {
		u := s.Utility(p)
		return u, u
	}
	first, second := s.Stones()
	own, other := first, second
	if p == 1 {
		own, other = second, first
	}
	return -s.most(1-p, s.board^own), s.most(p, s.board^other)
}

// most returns the highest utility that p can still reach if only the given cells are available to
// p.
func (s *State) most(p game.Player, cells uint64) float64 {
	played, stones := (s.ply+1-int(p))/2, (s.cells+1-int(p))/2
	switch {
	case played == stones || !s.won(cells):
		return 0
	case s.distance:
		return float64(s.worth(max(played+1, 4)))
	}
	return 1
}
