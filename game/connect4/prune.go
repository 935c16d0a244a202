package connect4

import (
	"math/bits"

	"plyfit/game"
)

// Narrow implements [game.Solver]. Without an immediate win, it omits the moves after which the
// opponent wins at once, so at most the one block of a threat is left (Pascal Pons' non-losing
// moves). No one then wins with the next stone.
func (v *solver) Narrow(dst []game.Move, p game.Player) (moves []game.Move, lo, hi float64, plies int) {
	s := v.board
	at := s.at()
	mover := game.Player(s.ply & 1)
	playable := (at.all + s.floor) & s.board
	if at.end != open || s.fours(at.own)&playable != 0 {
		// The bounds' end: a win, or what it came to.
		_, hi = s.bounds(mover)
		lo = hi
	} else {
		threats := s.fours(at.own ^ at.all)
		safe := playable
		forced := playable & threats
		if forced != 0 {
			safe = forced
		}
		safe &^= threats >> 1 // a stone there lifts the opponent to a winning cell
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

// second is the most that p can get without winning by his next stone. Without distances a State's
// bounds do not distinguish him from one with more stones, so it applies only where two moves end
// the game: a search that stops before the end would else find another value with it than without.
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

// lowest is the move into the first column that has a cell of the set.
func (r *rules) lowest(cells uint64) game.Move {
	return game.Move(uint(bits.TrailingZeros64(cells)) / r.height)
}

// distance is a State in which an earlier win is worth more: (cells+1)/2 + 1 less the winner's
// stones, on 7x6 the 22 less stones of Pascal Pons' test sets.
type distance struct{ State }

var _ game.Bounder = (*distance)(nil)

func (s *distance) Clone() game.State {
	c := &distance{s.State}
	c.root = c.ply
	return c
}

// Bounds implements [game.Bounder]: no one wins with fewer stones than he has
// and one more, and no one without a line of four left to him.
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

// most is the highest utility that p can still reach on the cells that are not his opponent's.
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
