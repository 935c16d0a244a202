package othello

import (
	"math"
	"math/bits"

	"plyfit/game"
)

// solved is up to how many empty squares Solve plays the game out: above that a
// transposition table and counted replies save more than they cost.
const solved = 7

// Solve implements [game.Solver]: the last few squares are played out on bare
// sets of discs, moves into regions of odd size first.
func (s *State) Solve(p game.Player, depth int, alpha, beta float64) (value float64, nodes int64, ok bool) {
	at := s.at()
	empties := 64 - popcount(at.own|at.opp)
	// Every square may take a pass as well.
	if empties > solved || depth < 2*empties {
		return 0, 0, false
	}
	mine := p == s.mover()
	if !mine {
		alpha, beta = -beta, -alpha
	}
	// Utilities are whole: more than alpha is more than its floor.
	lo := int(math.Floor(math.Max(alpha, -65)))
	hi := int(math.Ceil(math.Min(beta, 65)))
	var e endgame
	v := e.search(at.own, at.opp, lo, hi, false)
	if !mine {
		v = -v
	}
	return float64(v), e.nodes, true
}

// endgame is a search to the end.
type endgame struct{ nodes int64 }

// settled is how much alpha must be, by empty squares, before it pays to ask
// whether the other's stable discs keep the mover below it.
var settled = [solved + 1]int{99, 99, 99, 99, 6, 8, 10, 12}

// search is the utility of own's player, who is to move, if it lies between
// alpha and beta, else a bound of it on the same side (fail-soft).
func (e *endgame) search(own, opp uint64, alpha, beta int, passed bool) int {
	e.nodes++
	empty := ^(own | opp)
	n := popcount(empty)
	if n <= 1 {
		return last(own, opp, empty)
	}
	first, second := empty, uint64(0)
	if n > 2 {
		if alpha >= settled[n] {
			if hi := 64 - 2*popcount(Stable(opp, own)); hi <= alpha {
				return hi
			}
		}
		first = odd(empty)
		second = empty &^ first
	}
	best := math.MinInt
	for squares := first; ; squares &= squares - 1 {
		if squares == 0 {
			if second == 0 {
				break
			}
			squares, second = second, 0
		}
		sq := uint(bits.TrailingZeros64(squares))
		if neighbours[sq&63]&opp == 0 {
			continue
		}
		flips := Flips(sq, own, opp)
		if flips == 0 {
			continue
		}
		v := -e.search(opp^flips, own^flips|squares&-squares, -beta, -alpha, false)
		if v > best {
			best = v
			if v > alpha {
				if v >= beta {
					return v
				}
				alpha = v
			}
		}
	}
	switch {
	case best != math.MinInt:
		return best
	case passed:
		return final(own, opp)
	}
	return -e.search(opp, own, -beta, -alpha, true)
}

// odd is those of the empty squares that lie in quadrants with an odd number of
// them.
func odd(empty uint64) uint64 {
	// Parities of the rows' halves, then of four rows each, come to the corners'
	// bits of the quadrants, and fill them from there.
	p := empty ^ empty>>1
	p ^= p >> 2
	p ^= p >> 8
	p ^= p >> 16
	p &= 1 | 1<<4 | 1<<32 | 1<<36
	return p * 0x0f0f0f0f & empty
}

// neighbours are the squares that touch each square.
var neighbours = makeNeighbours()

func makeNeighbours() (all [64]uint64) {
	for sq := range all {
		for other := range 64 {
			r, c := sq/8-other/8, sq%8-other%8
			if sq != other && r*r <= 1 && c*c <= 1 {
				all[sq] |= 1 << other
			}
		}
	}
	return all
}
