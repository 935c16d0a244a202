package backgammon

import (
	"math/bits"

	"plyfit/game"
)

// A player's move is a whole turn. It contains the places from which its steps start, followed by
// zeros. Each place takes five bits, and the first step is in the lowest bits. If the dice differ,
// the larger die is played first unless smallFirst is set. A turn without steps is a pass.
const smallFirst game.Move = 1 << 20

// pass is the move of a player who cannot move any checker.
const pass game.Move = 0

// steps returns the places from which the steps of m start, in order.
func steps(m game.Move) (from [4]int, n int) {
	for m &^= smallFirst; m != 0; m >>= 5 {
		from[n&3] = int(m & 31)
		n++
	}
	return from, n
}

// A table contains the positions reached by the turns found so far. It identifies them exactly,
// because the key contains everything that a turn can change: the mover's places and the points on
// which it hits. The hits are stored in unused bits of the side.
type table struct {
	slots [128]struct {
		key   side
		stamp uint32
	}
	stamp uint32
}

// begin empties the table.
func (t *table) begin() {
	if t.stamp++; t.stamp == 0 {
		*t = table{stamp: 1}
	}
}

// add stores key and reports whether it is new. There are always more slots than keys, because a
// turn has two steps, in either order, from at most seven places or from the places reached by the
// first step.
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

// A field contains the opponent's points that matter: blocked points and blots.
type field struct{ blocked, blots uint32 }

// leave returns the places from which a checker can move with die d. own contains the mover's
// places.
func (f field) leave(own uint32, d int) uint32 {
	if own>>Bar&1 != 0 {
		return own & (1 << Bar) &^ (f.blocked << d)
	}
	from := own &^ (f.blocked << d) &^ (1<<(d+1) - 1)
	if own>>7 == 0 { // all checkers are home and can be borne off
		switch {
		case own>>d&1 != 0:
			from |= 1 << d
		case own != 0 && own>>d == 0:
			from |= 1 << (bits.Len32(own) - 1)
		}
	}
	return from
}

// moved returns the occupied places after a step. The parameter single reports whether the step
// leaves its place empty.
func moved(own uint32, from, to int, single bool) uint32 {
	if single {
		own &^= 1 << from
	}
	return (own | 1<<to) &^ 1 // checkers that have been borne off cannot move
}

// hit returns the bit in a key that represents a hit on the given point, or 0 if there is no blot.
func (f field) hit(to int) uint64 { return uint64(f.blots>>(to&31)&1) << ((39 + to) & 63) }

// turns appends the mover's turns, one for each resulting position. A turn uses as many dice as
// possible. If only one of the two dice can be used, it is the larger one if possible. If neither
// can be used, the turn is a pass.
func (s *State) turns(p *position, dst []game.Move) []game.Move {
	own := &p.sides[p.player]
	one, two := p.sides[1-p.player].points()
	f := field{mirror(two & onBoard), mirror(one &^ two & onBoard)}
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
	} else { // if the last checker comes home, checkers can be borne off
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

// pairs appends the turns of two steps if no checker can be borne off. In this case, two turns
// reach the same position only if they have the same steps in a different order, or if both move a
// checker from y to y-hi-lo without a hit on the way. In the second case, another checker may
// already have been on the intermediate point.
func (f field) pairs(dst []game.Move, own *side, places uint32, hi, lo int) []game.Move {
	large := f.leave(places, hi)
	for rest := large; rest != 0; rest &= rest - 1 {
		x := bits.TrailingZeros32(rest)
		next := f.leave(moved(places, x, x-hi, own.single(x)), lo)
		// If the checker on x moves first and another one then steps from y to x, the resulting
		// position is the same as if one checker moved from y all the way via y-hi, unless that
		// checker hits a blot there.
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

// last appends the turns of two steps that reach new positions, using first die a and then die b.
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

// fours generates the turns for a double, with up to four steps of the same die. No step starts
// from a higher place than the step before it. This ensures that different turns reach different
// positions, because the positions differ at the highest place at which the turns differ.
type fours struct {
	field
	die   int
	dst   []game.Move
	first int // index of the first turn in dst
	most  int // largest number of steps found so far
}

// grow appends the turns that continue after n steps, the last of which started from the place top.
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
