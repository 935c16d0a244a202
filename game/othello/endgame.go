package othello

import (
	"math"
	"math/bits"

	"plyfit/game"
	"plyfit/internal/asm"
)

// solved is up to how many empty squares Solve plays the game out: above that a
// transposition table saves more than it costs. (FFO 40: 0.90 s with 8, 0.76 with
// 9, 0.75 with 10, and a search that is limited by time waits the longer.)
const solved = 9

// solver plays the last few squares out ([State.Solve]). It has no table.
type solver struct {
	game.NoSolver
	board *State
	nodes int64 // since Spent was called
}

func (s *State) NewSolver(int) game.Solver { return new(solver) }

func (v *solver) Bind(s game.State)                         { v.board = Of(s) }
func (v *solver) Warmup(depth int) (decisions int, ok bool) { return v.board.Warmup(depth) }

func (v *solver) Solve(p game.Player, depth int, alpha, beta float64, _ func(int64) int64) (float64, int, bool) {
	value, nodes, ok := v.board.Solve(p, depth, alpha, beta)
	v.nodes += nodes
	return value, depth, ok // to the end, however far that is
}

func (v *solver) Spent() (nodes, probes, hits, cuts int64) {
	nodes, v.nodes = v.nodes, 0
	return nodes, 0, 0, 0
}

// Solve is what p gets, as [game.Solver] has it: the last few squares are played out on bare
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
	if s.wins {
		// Of who wins one difference in discs is as good as another.
		lo, hi = max(-1, min(0, lo)), min(1, max(0, hi))
	}
	var e endgame
	v := e.search(at.own, at.opp, empties, lo, hi, false)
	if !mine {
		v = -v
	}
	return s.worth(v), e.nodes, true
}

// unwarmed is how many of the root's empty squares the evaluation's searches leave before a search
// to the end: they order its moves. (Seven positions of 20 to 22 empties, learned patterns: 8.9 s
// without, 6.7 s with 10, 7.4 s where the searches end two decisions earlier; 45% fewer nodes.)
const unwarmed = 10

// Warmup is how deep to search by an evaluation before a search to the end.
func (s *State) Warmup(depth int) (decisions int, ok bool) {
	empties := s.Empties()
	return max(2, empties-unwarmed), depth >= 2*empties // every square may take a pass as well
}

type endgame struct{ nodes int64 }

// stabilityAlpha is how much alpha must be, by empty squares, before it pays to ask
// whether the other's stable discs keep the mover below it.
var stabilityAlpha = [solved + 1]int{99, 99, 99, 99, 6, 8, 10, 12, 14, 16}

// search is the utility of own's player, who is to move with n squares empty, if
// it lies between alpha and beta, else a bound of it on the same side (fail-soft).
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

// sorted is from how many empty squares on counting replies saves more than it
// costs. (Positions of nine: 12% less time with 5 than with 7, 10% with 6.)
const sorted = 5

// fastest is search with the moves sorted: those that leave the other the fewest
// replies first, among equals those into regions of odd size.
func (e *endgame) fastest(own, opp, empty uint64, n, alpha, beta int, passed bool) int {
	var (
		moves [solved]asm.Placed
		order [solved]int32 // 16 times a move's cost, and its place in moves
	)
	count := asm.PlaceDiscs(moves[:], own, opp, empty&Beside(opp))
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

// two is search with two squares empty: nothing to sort, and no boards to make
// for the last square, where only counts matter.
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
	// A pass: the other has the same two squares.
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

// one is the utility of own's player, who is to move where all squares but sq
// are taken, the rest of them by the other.
func one(own uint64, sq uint) int {
	mine := popcount(own)
	if n := turnedLast(sq, own); n != 0 {
		mine += n + 1
	} else if n := turnedLast(sq, ^own); n != 0 {
		mine -= n
	} else if mine >= 32 { // no one can move there: it goes to who has more
		mine++
	}
	return 2*mine - 64
}

// turnedLast is how many discs a disc of own on sq turns if all other squares not own's are the
// other's. Whether own holds sq makes no difference.
func turnedLast(sq uint, own uint64) int {
	const gather = 0x0102040810204080
	x, y := sq&7, sq>>3&7
	d := &asm.Diagonals[sq&63]
	return int(runs[y][(own>>x&fileA)*gather>>56]) + int(runs[x][uint8(own>>(y<<3))]) +
		int(runs[x][(own&d[0])*fileA>>56]) + int(runs[x][(own&d[1])*fileA>>56])
}

// runs[x][o] is how many places on a line of eight lie between place x and the
// nearest of those in o on either side; beyond a side without any, none.
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

// odd is those of the empty squares that lie in quadrants with an odd number of them.
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
