package backgammon

import (
	"math/bits"

	"plyfit/game"
)

// A player's move is a whole turn: the places that its steps leave from, five bits each, the first
// step lowest, 0 after the last. Of two different dice the larger is played first unless smallFirst
// is set; no steps are a pass.
const smallFirst game.Move = 1 << 20

// pass is the move of a player who can move no checker.
const pass game.Move = 0

// steps are the places that m leaves from, in order.
func steps(m game.Move) (from [4]int, n int) {
	for m &^= smallFirst; m != 0; m >>= 5 {
		from[n&3] = int(m & 31)
		n++
	}
	return from, n
}

// table remembers which positions the turns found so far reach. It is exact: key is all that a turn
// can change, the mover's places and, in bits that a side leaves free, the points he hits.
type table struct {
	slots [128]struct {
		key   side
		stamp uint32
	}
	stamp uint32
}

// begin forgets everything.
func (t *table) begin() {
	if t.stamp++; t.stamp == 0 {
		*t = table{stamp: 1}
	}
}

// add reports whether key is new, and remembers it. There are more slots than keys: two steps from
// at most seven places and what they lead to, in two orders.
func (t *table) add(key side) bool {
	h := (key[0] ^ bits.RotateLeft64(key[1], 29)) * 0x9e3779b97f4a7c15
	for i := h >> 57; ; i++ {
		slot := &t.slots[i&127]
		if slot.stamp != t.stamp {
			slot.key, slot.stamp = key, t.stamp
			return true
		}
		if slot.key == key {
			return false
		}
	}
}

// field is what matters of the other: points that he cannot go to, and those that he would hit.
type field struct{ blocked, blots uint32 }

func fieldOf(other *side) field {
	one, two := other.points()
	return field{mirror(two & onBoard), mirror(one &^ two & onBoard)}
}

// leave is the set of places that a checker can leave by die d, where own are
// the places that the mover has.
func (f field) leave(own uint32, d int) uint32 {
	if own>>Bar&1 != 0 {
		return own & (1 << Bar) &^ (f.blocked << d)
	}
	from := own &^ (f.blocked << d) &^ (1<<(d+1) - 1)
	if own>>7 == 0 { // all are home: they may leave the board
		switch {
		case own>>d&1 != 0:
			from |= 1 << d
		case own != 0 && own>>d == 0:
			from |= 1 << (bits.Len32(own) - 1)
		}
	}
	return from
}

// moved are the places after a step, of which single reports whether it leaves its place empty.
func moved(own uint32, from, to int, single bool) uint32 {
	if single {
		own &^= 1 << from
	}
	return (own | 1<<to) &^ 1 // what is off is no place to leave
}

// hit is the bit of a key for a blot hit on point to.
func (f field) hit(to int) uint64 { return uint64(f.blots>>(to&31)&1) << ((39 + to) & 63) }

// turns appends the turns of the mover's side s, one for each resulting position: as many dice as
// possible, the larger if only one, Pass if none.
func (s *State) turns(p *position, dst []game.Move) []game.Move {
	own, f := &p.sides[p.player], fieldOf(&p.sides[1-p.player])
	hi, lo := int(p.dice[0]), int(p.dice[1])
	places, _ := own.points()
	first := len(dst)
	if hi == lo {
		g := fours{field: f, die: hi, dst: dst, first: first}
		g.grow(*own, places, Bar, 0, 0)
		return g.dst
	}
	if outside := places >> 7; outside&(outside-1) != 0 {
		dst = f.pairs(dst, own, places, hi, lo)
	} else { // the last one may come home: then checkers leave the board
		s.seen.begin()
		dst = s.last(dst, own, places, f, hi, lo, 0)
		dst = s.last(dst, own, places, f, lo, hi, smallFirst)
	}
	if len(dst) > first {
		return dst
	}
	from, order := f.leave(places, hi), game.Move(0)
	if from == 0 {
		from, order = f.leave(places, lo), smallFirst
	}
	if from == 0 {
		return append(dst, pass)
	}
	for ; from != 0; from &= from - 1 {
		dst = append(dst, game.Move(bits.TrailingZeros32(from))|order)
	}
	return dst
}

// pairs appends the turns of two steps where no checker can leave the board. There two turns reach
// the same position only if they are the same steps in another order, or both bring a checker from
// y to y-hi-lo and hit nothing on the way, where the second checker may already have been.
func (f field) pairs(dst []game.Move, own *side, places uint32, hi, lo int) []game.Move {
	large := f.leave(places, hi)
	for rest := large; rest != 0; rest &= rest - 1 {
		x := bits.TrailingZeros32(rest)
		next := f.leave(moved(places, x, x-hi, own.single(x)), lo)
		// One from y to x after the one on x has left: as if that from y went
		// all the way, by y-hi where it hits nothing there.
		if y := x + lo; large>>y&1 != 0 && f.blots>>(y-hi)&1 == 0 {
			next &^= 1 << y
		}
		for ; next != 0; next &= next - 1 {
			dst = append(dst, game.Move(x|bits.TrailingZeros32(next)<<5))
		}
	}
	for rest := f.leave(places, lo); rest != 0; rest &= rest - 1 {
		y := bits.TrailingZeros32(rest)
		next := f.leave(moved(places, y, y-lo, own.single(y)), hi) &^ large
		if large>>y&1 != 0 && (f.blots>>(y-hi)|f.blots>>(y-lo))&1 == 0 {
			next &^= 1 << (y - lo)
		}
		for ; next != 0; next &= next - 1 {
			dst = append(dst, game.Move(y|bits.TrailingZeros32(next)<<5)|smallFirst)
		}
	}
	return dst
}

// last appends the turns of two steps by die a, then b, whose positions were not seen before.
func (s *State) last(dst []game.Move, own *side, places uint32, f field, a, b int, order game.Move) []game.Move {
	for rest := f.leave(places, a); rest != 0; rest &= rest - 1 {
		from := bits.TrailingZeros32(rest)
		to := max(from-a, Off)
		key := *own
		single := key.single(from)
		key.shift(from, to)
		key[1] |= f.hit(to)
		next := f.leave(moved(places, from, to, single), b)
		for ; next != 0; next &= next - 1 {
			from2 := bits.TrailingZeros32(next)
			to2 := max(from2-b, Off)
			end := key
			end.shift(from2, to2)
			end[1] |= f.hit(to2)
			if s.seen.add(end) {
				dst = append(dst, game.Move(from|from2<<5)|order)
			}
		}
	}
	return dst
}

// fours finds the turns of a double: up to four steps by one die. Steps are ordered so that none
// leaves from above the one before; then different turns reach different positions, which differ at
// the highest place where the turns do.
type fours struct {
	field
	die   int
	dst   []game.Move
	first int // of the turns in dst
	most  int // steps that a turn was found to have
}

// grow appends what can follow n steps, the last of which left from top.
func (g *fours) grow(s side, places uint32, top, n int, m game.Move) {
	from := uint32(0)
	if n < 4 {
		from = g.leave(places, g.die) & (1<<(top+1) - 1)
	}
	if from == 0 {
		if n > g.most {
			g.dst, g.most = g.dst[:g.first], n
		}
		if n == g.most {
			g.dst = append(g.dst, m)
		}
		return
	}
	for ; from != 0; from &= from - 1 {
		leaves := bits.TrailingZeros32(from)
		to := max(leaves-g.die, Off)
		next := s
		next.shift(leaves, to)
		g.grow(next, moved(places, leaves, to, s.single(leaves)), leaves, n+1, m|game.Move(leaves)<<(5*n))
	}
}
