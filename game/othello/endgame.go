package othello

import (
	"math"
	"math/bits"

	"plyfit/game"
	"plyfit/internal/asm"
)

// solved is the maximum number of empty squares for which Solve is used. With more empty squares, a
// transposition table saves more time than it costs. (FFO 40 takes 0.90 s with the limit 8, 0.76 s
// with 9 and 0.75 s with 10. With a larger limit, a search with a time limit would stop later.)
const solved = 9

// A solver solves positions with few empty squares (see [State.Solve]). It has no table.
type solver struct {
	game.NoSolver
	board *State
	nodes int64 // number of nodes since the last call to Spent
}

func (s *State) NewSolver(int) game.Solver { return new(solver) }

func (v *solver) Bind(s game.State)                         { v.board = Of(s) }
func (v *solver) Warmup(depth int) (decisions int, ok bool) { return v.board.Warmup(depth) }

func (v *solver) Solve(p game.Player, depth int, alpha, beta float64, _ func(int64) int64) (float64, int, bool) {
	value, nodes, ok := v.board.Solve(p, depth, alpha, beta)
	v.nodes += nodes
	return value, depth, ok // the search reaches the end of the game, regardless of the depth
}

func (v *solver) Spent() (nodes, probes, hits, cuts int64) {
	nodes, v.nodes = v.nodes, 0
	return nodes, 0, 0, 0
}

// Solve returns p's result as specified by [game.Solver]. It searches to the end of the game on
// sets of discs, without updating a State, and tries moves into regions of odd size first. nodes is
// the number of visited positions.
func (s *State) Solve(p game.Player, depth int, alpha, beta float64) (value float64, nodes int64, ok bool) {
	at := s.at()
	empties := 64 - popcount(at.own|at.opp)
	// Each empty square may also require a pass.
	if empties > solved || depth < 2*empties {
		return 0, 0, false
	}
	mine := p == s.mover()
	if !mine {
		alpha, beta = -beta, -alpha
	}
	// Utilities are integers, so a value exceeds alpha if it exceeds the floor of alpha.
	lo := int(math.Floor(math.Max(alpha, -65)))
	hi := int(math.Ceil(math.Min(beta, 65)))
	if s.wins {
		// Only the sign of the difference matters if score=win.
		lo, hi = max(-1, min(0, lo)), min(1, max(0, hi))
	}
	var e endgame
	v := e.search(at.own, at.opp, empties, lo, hi, false)
	if !mine {
		v = -v
	}
	return s.worth(v), e.nodes, true
}

// unwarmed is the number of plies between the end of a warm-up search and the end of the game. A
// warm-up search with an evaluation orders the moves of the final search. (Seven positions with 20
// to 22 empty squares and learned patterns take 8.9 s without a warm-up, 6.7 s with the value 10,
// and 7.4 s if the warm-up ends two decisions earlier. The number of nodes falls by 45%.)
const unwarmed = 10

// Warmup returns the depth of the evaluation search that should precede a search to the end of the
// game. ok is false if a search of the given depth may not reach the end.
func (s *State) Warmup(depth int) (decisions int, ok bool) {
	empties := s.Empties()
	return max(2, empties-unwarmed), depth >= 2*empties // each empty square may also require a pass
}

type endgame struct{ nodes int64 }

// stabilityAlpha contains, for each number of empty squares, the smallest alpha at which it is
// worth checking whether the opponent's stable discs limit the mover's result to alpha.
var stabilityAlpha = [solved + 1]int{99, 99, 99, 99, 6, 8, 10, 12, 14, 16}

// search returns the utility for the player to move, whose discs are own, if it lies between alpha
// and beta, and otherwise a bound on the same side (fail-soft). n is the number of empty squares.
func (e *endgame) search(own, opp uint64, n, alpha, beta int, passed bool) int {
	empty := ^(own | opp)
	switch n {
	case 0, 1:
		e.nodes++
		return last(own, opp, empty)
	case 2:
		return e.two(own, opp, empty, alpha, beta)
	}
	e.nodes++
	if alpha >= stabilityAlpha[n] {
		if hi := 64 - 2*popcount(stableDiscs(opp, own)); hi <= alpha {
			return hi
		}
	}
	if n >= sorted {
		return e.fastest(own, opp, empty, n, alpha, beta, passed)
	}
	first := odd(empty)
	second := empty &^ first
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
		flips := asm.Flips(sq, own, opp)
		if flips == 0 {
			continue
		}
		v := -e.search(opp^flips, own^flips|squares&-squares, n-1, -beta, -alpha, false)
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
	return -e.search(opp, own, n, -beta, -alpha, true)
}

// sorted is the smallest number of empty squares at which the moves are sorted by the number of
// replies. (Positions with nine empty squares take 12% less time with the value 5 than with 7, and
// 10% less than with 6.)
const sorted = 5

// fastest is like search, but sorts the moves. The moves that leave the opponent the fewest replies
// come first. Among these, moves into regions of odd size come first.
func (e *endgame) fastest(own, opp, empty uint64, n, alpha, beta int, passed bool) int {
	var (
		moves [solved]asm.Placed
		order [solved]int32 // 16 times the cost of a move, plus its index in moves
	)
	count := asm.PlaceDiscs(moves[:], own, opp, empty&Adjacent(opp))
	uneven := odd(empty)
	for k := range moves[:count] {
		m := &moves[k]
		cost := 2 * (popcount(m.Replies) + popcount(m.Replies&corners))
		if uneven&m.Square == 0 {
			cost++
		}
		key, i := int32(cost<<4|k), k
		for ; i > 0 && order[i-1] > key; i-- {
			order[i] = order[i-1]
		}
		order[i] = key
	}
	if count == 0 {
		if passed {
			return final(own, opp)
		}
		return -e.search(opp, own, n, -beta, -alpha, true)
	}
	best := math.MinInt
	for _, key := range order[:count] {
		m := &moves[key&15]
		v := -e.search(m.Own, m.Opp, n-1, -beta, -alpha, false)
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
	return best
}

// two is like search, for two empty squares. It does not sort the moves, and for the last square it
// computes only the number of discs.
func (e *endgame) two(own, opp, empty uint64, alpha, beta int) int {
	e.nodes++
	a, b := uint(bits.TrailingZeros64(empty)), uint(63-bits.LeadingZeros64(empty))
	best := math.MinInt
	if neighbours[a&63]&opp != 0 {
		if flips := asm.Flips(a, own, opp); flips != 0 {
			e.nodes++
			if best = -one(opp^flips, b); best >= beta {
				return best
			}
		}
	}
	if neighbours[b&63]&opp != 0 {
		if flips := asm.Flips(b, own, opp); flips != 0 {
			e.nodes++
			best = max(best, -one(opp^flips, a))
		}
	}
	if best != math.MinInt {
		return best
	}
	// The mover passes, and the opponent has the same two squares available.
	e.nodes++
	worst := math.MaxInt
	if neighbours[a&63]&own != 0 {
		if flips := asm.Flips(a, opp, own); flips != 0 {
			e.nodes++
			if worst = one(own^flips, b); worst <= alpha {
				return worst
			}
		}
	}
	if neighbours[b&63]&own != 0 {
		if flips := asm.Flips(b, opp, own); flips != 0 {
			e.nodes++
			worst = min(worst, one(own^flips, a))
		}
	}
	if worst != math.MaxInt {
		return worst
	}
	return final(own, opp)
}

// one returns the utility for the player to move, whose discs are own. All squares except sq are
// occupied, and those not in own belong to the opponent.
func one(own uint64, sq uint) int {
	mine := popcount(own)
	if n := turnedLast(sq, own); n != 0 {
		mine += n + 1
	} else if n := turnedLast(sq, ^own); n != 0 {
		mine -= n
	} else if mine >= 32 { // neither player can move: the empty square counts for the winner
		mine++
	}
	return 2*mine - 64
}

// turnedLast returns the number of discs flipped by a disc placed on sq, if the mover has the discs
// in own and the opponent has all other squares. The result does not depend on whether own contains
// sq.
func turnedLast(sq uint, own uint64) int {
	const gather = 0x0102040810204080
	x, y := sq&7, sq>>3&7
	d := &asm.Diagonals[sq&63]
	return int(runs[y][(own>>x&fileA)*gather>>56]) + int(runs[x][uint8(own>>(y<<3))]) +
		int(runs[x][(own&d[0])*fileA>>56]) + int(runs[x][(own&d[1])*fileA>>56])
}

// runs[x][o] is the number of squares between square x and the nearest square in o on a line of
// eight, added up for both directions. A direction without a square in o adds 0.
var runs = makeRuns()

func makeRuns() (all [8][256]uint8) {
	for x := range 8 {
		for o := range 256 {
			for _, step := range [2]int{-1, 1} {
				n := uint8(0)
				for end := x + step; 0 <= end && end < 8; end += step {
					if o>>end&1 != 0 {
						all[x][o] += n
						break
					}
					n++
				}
			}
		}
	}
	return all
}

// odd returns the empty squares in quadrants with an odd number of empty squares.
func odd(empty uint64) uint64 {
	// Compute the parities of half rows and then of the four rows of each quadrant. The corner bit
	// of a quadrant then contains its parity, and the product copies it to the whole quadrant.
	p := empty ^ empty>>1
	p ^= p >> 2
	p ^= p >> 8
	p ^= p >> 16
	p &= 1 | 1<<4 | 1<<32 | 1<<36
	return p * 0x0f0f0f0f & empty
}

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
