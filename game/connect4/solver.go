package connect4

import (
	"cmp"
	"math"
	"math/bits"

	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/marks"
)

// solver plays connect four out on bare sets of stones, without a board to update: alpha-beta in
// null windows, which halve the range, over the moves that do not lose at once, first those that
// leave most cells on which the mover would win (Pascal Pons' solver). In addition it sees one move
// earlier that the other cannot stop both of two wins, its table keeps both bounds, and a position
// and its mirror image are solved once where both can arise.
//
// It counts wins by the stones they take, whatever the game's score. Its reference is the search
// over [State].
type solver struct {
	game.NoSolver
	*rules
	known *known     // nil: it only narrows
	busy  *marks.Set // nil if no other solver has the table
	board *State
	order [16]uint64 // columns, as they are taken among equals

	lists  [64][16]child // by stones on the board
	mirror bool          // images are looked for
	images [2]uint64     // of the stones of the bound position

	more    func(visited int64) int64
	visited int64 // since Solve was called
	told    int64 // those already reported
	pause   int64 // visited, when it is next reported
	stopped bool

	probes, hits, cuts int64
}

// child is a move and what it leaves: cells on which its mover would win, and the
// other's moves that do not lose at once.
type child struct {
	cell, threats, moves uint64
	rank                 int
}

var _ game.Solver = (*solver)(nil)

// leastAsked is how many cells must be empty for the table to be asked: below that a
// search takes less time than a look into memory.
const leastAsked = 11

// NewSolver implements [game.Solvable]. With too few megabytes the solver only narrows.
func (s *State) NewSolver(megabytes int) game.Solver {
	return s.solver(newKnown(megabytes, uint(s.columns)*s.height), 0)
}

// solver makes one that takes the middle columns first. Seeds differ in which of two
// columns that are as far from the middle comes first.
func (r *rules) solver(k *known, seed uint64) *solver {
	s := &solver{rules: r, known: k}
	columns := list.Order(r.columns, func(a, b int) int {
		if r.centre[a] == r.centre[b] && seed>>r.centre[a]&1 != 0 {
			return cmp.Compare(b, a)
		}
		return cmp.Compare(r.centre[b], r.centre[a])
	})
	for i, c := range columns {
		s.order[i] = r.column[c]
	}
	return s
}

func (s *solver) Bind(to game.State) {
	s.board = Of(game.Base(to))
	first, second := s.board.Stones()
	s.images = [2]uint64{s.mirrored(first), s.mirrored(second)}
	s.mirror = first&s.images[1] == 0
}

func (s *solver) Fork(seed uint64) game.Solver {
	if s.known == nil {
		return nil
	}
	s.known.share()
	if s.busy == nil {
		s.busy = new(marks.Set)
	}
	f := s.rules.solver(s.known, seed)
	f.busy = s.busy
	return f
}

func (s *solver) Forget() {
	if s.known != nil {
		s.known.forget()
	}
}

func (s *solver) Spent() (nodes, probes, hits, cuts int64) {
	probes, hits, cuts = s.probes, s.hits, s.cuts
	s.probes, s.hits, s.cuts = 0, 0, 0
	return 0, probes, hits, cuts
}

func (s *solver) Solve(p game.Player, depth int, alpha, beta float64, more func(visited int64) int64) (value float64, left int, ok bool) {
	at, n := s.board.at(), s.board.ply
	if at.end != open || depth < s.cells-n || s.known == nil {
		return 0, 0, false
	}
	mine := int(p) == n&1
	if !mine {
		alpha, beta = -beta, -alpha
	}
	// Utilities are whole: more than alpha is more than its floor.
	best := float64(s.worth(0))
	lo, hi := int(math.Floor(max(alpha, -best))), int(math.Ceil(min(beta, best)))
	if !s.distance {
		lo, hi = max(-1, min(0, lo)), min(1, max(0, hi))
	}
	s.more, s.visited, s.told, s.stopped = more, 0, 0, false
	s.pause = more(0)
	v := s.value(at.own, at.all, n, lo, hi)
	more(s.visited - s.told)
	s.more = nil
	if s.stopped {
		return 0, 0, false
	}
	if !s.distance {
		v = max(-1, min(1, v))
	}
	if !mine {
		v = -v
	}
	return float64(v), s.cells - n, true
}

// value is that of a position with n stones for its mover, if it lies between alpha and
// beta, else a bound on the same side.
func (s *solver) value(own, all uint64, n, alpha, beta int) int {
	s.visited++
	if s.fours(own)&^all&(all+s.floor) != 0 {
		return s.worth(n/2 + 1)
	}
	threats := s.fours(own^all) &^ all
	moves := s.replies(all, threats)
	if moves == 0 {
		if n == s.cells {
			return 0
		}
		return -s.worth((n+1)/2 + 1)
	}
	if n+2 >= s.cells { // neither wins with his last stone
		return 0
	}
	lo, hi := -s.worth((n+1)/2+2), s.worth(n/2+2)
	if !s.distance {
		lo, hi = max(lo, -1), min(hi, 1)
	}
	for lo < hi && lo < beta && hi > alpha && !s.stopped {
		// Of a range that spans 0 the side that reaches farther is halved.
		middle := lo + (hi-lo)/2
		switch {
		case middle <= 0 && lo/2 < middle:
			middle = lo / 2
		case middle >= 0 && hi/2 > middle:
			middle = hi / 2
		}
		middle = max(alpha, min(beta-1, middle))
		if v := s.search(own, all, threats, moves, n, middle); v > middle {
			lo = v
		} else {
			hi = v
		}
	}
	if lo >= beta {
		return lo
	}
	return hi
}

// replies are the moves after which the other, who has these threats, does not win at
// once; none where there is no stopping him.
func (s *solver) replies(all, threats uint64) uint64 {
	moves := (all + s.floor) & s.rules.board
	if forced := moves & threats; forced != 0 {
		if forced&(forced-1) != 0 {
			return 0
		}
		moves = forced
	}
	return moves &^ (threats >> 1)
}

// search bounds the value of a position with n stones to its mover: from above if at most alpha,
// else from below. The mover cannot win at once; threats are the other's, moves those that do not
// lose.
func (s *solver) search(own, all, threats, moves uint64, n, alpha int) int {
	if s.visited++; s.visited >= s.pause && !s.goOn() {
		return 0
	}
	lo, hi := -s.worth((n+1)/2+2), s.worth(n/2+2)
	switch {
	case n+2 >= s.cells:
		return 0
	case hi <= alpha:
		return hi
	case lo > alpha:
		return lo
	}
	var (
		place  uint64
		turned bool
		column = uint(noColumn)
		asked  = s.cells-n >= leastAsked
		before = s.visited
	)
	if asked {
		place, turned = s.place(own, all, n)
		s.probes++
		if slot := s.known.find(place); slot != 0 {
			s.hits++
			l, h := spanOf(slot)
			lo, hi, column = max(lo, l), min(hi, h), columnOf(slot)
			if hi <= alpha {
				s.cuts++
				return hi
			}
			if lo > alpha {
				s.cuts++
				return lo
			}
		}
	}
	list := &s.lists[n&63]
	count := 0
	for _, c := range s.order[:s.columns] {
		cell := moves & c
		if cell == 0 {
			continue
		}
		all := all | cell
		threats := s.fours(own|cell) &^ all
		moves := s.replies(all, threats)
		if moves == 0 { // and hi is what that is worth
			return s.worth(n/2 + 2)
		}
		// A threat that can be parried now counts for less than any other.
		rank := 2*bits.OnesCount64(threats) - bits.OnesCount64(threats&(all+s.floor))
		if asked && s.known.far {
			p, _ := s.place(own^all^cell, all, n+1)
			s.known.ahead(p)
		}
		i := count
		for ; i > 0 && list[(i-1)&15].rank < rank; i-- {
			list[i&15] = list[(i-1)&15]
		}
		list[i&15] = child{cell, threats, moves, rank}
		count++
	}
	best := -s.worth(0)
	shared := s.busy != nil && s.cells-n >= leastShared
	for i := range count {
		mark := uint64(0)
		if shared {
			if i > 0 {
				if slot := s.known.find(place); slot != 0 { // another one may be through
					if l, h := spanOf(slot); h <= alpha {
						return h
					} else if l > alpha {
						return l
					}
				}
			}
			if i >= firstShared {
				undone(s.busy, list[i:count], own, all)
			}
			mark = markOf(own^all, all|list[i&15].cell)
			s.busy.Enter(mark)
		}
		c := &list[i&15]
		v := -s.search(own^all, all|c.cell, c.threats, c.moves, n+1, -alpha-1)
		if shared {
			s.busy.Leave(mark)
		}
		if v <= best {
			continue
		}
		if best = v; v > alpha {
			column = uint(bits.TrailingZeros64(c.cell)) / s.height
			if turned {
				column = uint(s.columns-1) - column
			}
			break
		}
	}
	if s.stopped {
		return 0
	}
	if best > alpha {
		lo = max(lo, best)
	} else {
		hi = min(hi, best)
	}
	if asked {
		s.known.put(place, lo, hi, column, s.visited-before)
	}
	return best
}

// goOn tells of the positions visited, and reports whether more are to be.
func (s *solver) goOn() bool {
	if !s.stopped {
		next := s.more(s.visited - s.told)
		s.told, s.pause, s.stopped = s.visited, s.visited+next, next == 0
	}
	return !s.stopped
}

// place is where the table has a position, and whether it stands there as its image.
func (s *solver) place(own, all uint64, n int) (place uint64, turned bool) {
	key := own + all
	if s.mirror {
		first, second := own, own^all
		if n&1 != 0 {
			first, second = second, first
		}
		if s.images[0]&^first|s.images[1]&^second == 0 {
			if image := s.mirrored(key); image < key {
				return s.known.place(image), true
			}
		}
	}
	return s.known.place(key), false
}

func (s *solver) Line(dst []game.Move, p game.Player, value float64) []game.Move {
	at, n, v := s.board.at(), s.board.ply, int(value)
	if int(p) != n&1 {
		v = -v
	}
	own, all := at.own, at.all
	for ; at.end == open && n < s.cells; n, v = n+1, -v {
		playable := (all + s.floor) & s.rules.board
		cell := s.fours(own) & playable &^ all
		if cell != 0 {
			return append(dst, s.lowest(cell))
		}
		cell = s.replies(all, s.fours(own^all)&^all)
		if cell == 0 {
			return dst
		}
		if cell&(cell-1) != 0 {
			place, turned := s.place(own, all, n)
			slot := s.known.find(place)
			lo, _ := spanOf(slot)
			c := columnOf(slot)
			if slot == 0 || lo < v || c == noColumn {
				return dst
			}
			if turned {
				c = uint(s.columns-1) - c
			}
			cell &= s.column[c&15]
		}
		dst = append(dst, s.lowest(cell))
		own, all = own^all, all|cell
	}
	return dst
}

// mirrored returns b with its columns (height bits each) in reverse order.
func (r *rules) mirrored(b uint64) uint64 {
	if r.standard {
		const column = 1<<7 - 1
		return b&column<<42 | b&(column<<7)<<28 | b&(column<<14)<<14 | b&(column<<21) |
			b>>14&(column<<14) | b>>28&(column<<7) | b>>42&column
	}
	var image uint64
	for range r.columns {
		image = image<<r.height | b&(1<<r.height-1)
		b >>= r.height
	}
	return image
}
