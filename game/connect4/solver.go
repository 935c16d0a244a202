package connect4

import (
	"cmp"
	"math"
	"math/bits"

	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/marks"
)

// A solver searches connect four to the end on sets of stones, without updating a State. It uses
// alpha-beta with null windows that bisect the range, and considers only moves that do not lose
// immediately. Moves that leave more winning cells for the mover come first. This is Pascal Pons'
// solver with three additions: it detects one move earlier that the opponent cannot stop two
// threats, its table stores both bounds, and it solves a position and its mirror image only once if
// both can occur.
//
// The solver measures wins by the number of stones, whatever the game's score option is. Its tests
// compare it with minimax over [State].
type solver struct {
	game.NoSolver
	*rules
	known *known     // nil if there is no table and only Narrow works
	busy  *marks.Set // nil if no other solver shares the table
	board *State
	order [16]uint64 // columns in the order in which they are tried if other criteria are equal

	lists  [64][16]child // lists of moves, by number of stones on the board
	mirror bool          // whether mirror images are looked up
	images [2]uint64     // mirror images of each player's stones in the bound position

	more     func(visited int64) int64
	visited  int64 // number of positions visited since Solve was called
	reported int64 // number of these positions already reported to the function more
	pause    int64 // value of visited at which the function more is called next
	stopped  bool

	probes, hits, cuts int64
}

// A child is a move with its consequences: the cells on which its mover would win next, and the
// opponent's replies that do not lose immediately.
type child struct {
	cell, threats, moves uint64
	rank                 int
}

var _ game.Solver = (*solver)(nil)

// leastAsked is the minimum number of empty cells at which the table is used. Below this number, a
// search takes less time than a memory access.
const leastAsked = 11

// NewSolver implements [game.Solvable]. If there are too few megabytes for a table, only Narrow
// works.
func (s *State) NewSolver(megabytes int) game.Solver {
	return s.solver(newKnown(megabytes, uint(s.columns)*s.height), 0)
}

// solver returns a solver that searches central columns first. The seed determines the order of
// columns at the same distance from the centre.
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
	// Utilities are integers, so a value exceeds alpha if it exceeds the floor of alpha.
	best := float64(s.worth(0))
	lo, hi := int(math.Floor(max(alpha, -best))), int(math.Ceil(min(beta, best)))
	if !s.distance {
		lo, hi = max(-1, min(0, lo)), min(1, max(0, hi))
	}
	s.more, s.visited, s.reported, s.stopped = more, 0, 0, false
	s.pause = more(0)
	v := s.value(at.own, at.all, n, lo, hi)
	more(s.visited - s.reported)
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

// value returns the mover's value in a position with n stones if it lies between alpha and beta,
// and otherwise a bound on the same side.
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
	if n+2 >= s.cells { // neither player can win any more
		return 0
	}
	lo, hi := -s.worth((n+1)/2+2), s.worth(n/2+2)
	if !s.distance {
		lo, hi = max(lo, -1), min(hi, 1)
	}
	for lo < hi && lo < beta && hi > alpha && !s.stopped {
		// If the range contains 0, the longer side is halved.
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

// replies returns the moves that prevent the opponent, who has the given threats, from winning
// immediately. There are none if the opponent cannot be stopped.
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

// search returns a bound on the mover's value in a position with n stones: an upper bound if it is
// at most alpha, and otherwise a lower bound. The mover cannot win immediately. threats contains
// the opponent's threats, and moves contains the moves that do not lose immediately.
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
		if moves == 0 { // this is also the upper bound hi
			return s.worth(n/2 + 2)
		}
		// A threat that the opponent can block immediately counts as half a threat.
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
				if slot := s.known.find(place); slot != 0 { // another solver may have finished
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

// goOn reports the number of visited positions to the function more. It returns false if the search
// must stop.
func (s *solver) goOn() bool {
	if !s.stopped {
		next := s.more(s.visited - s.reported)
		s.reported, s.pause, s.stopped = s.visited, s.visited+next, next == 0
	}
	return !s.stopped
}

// place returns the position's place in the table. turned reports whether the table contains the
// mirror image instead.
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
