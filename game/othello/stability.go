package othello

import (
	"math/bits"

	"plyfit/game"
)

// Stable is a set of own's discs that no move can ever turn: in each of its
// four lines such a disc stands at the board's edge, or on a line that is full,
// or beside another of the set. It is the least set that follows from that, so
// it only grows as the game goes on; there are stable discs beside it.
func Stable(own, opp uint64) uint64 {
	rows, columns, rising, falling := full(own | opp)
	stable := own & rows & columns & rising & falling
	for {
		next := own &
			(rows | stable<<1&^fileA | stable>>1&^fileH) &
			(columns | stable<<8 | stable>>8) &
			(rising | stable<<9&^fileA | stable>>9&^fileH) &
			(falling | stable<<7&^fileH | stable>>7&^fileA)
		if next |= stable; next == stable {
			return stable
		}
		stable = next
	}
}

// full tells for each square and each of its four lines whether a disc there
// cannot be enclosed along the line: because no square of it is empty, or
// because the square stands at its end.
func full(discs uint64) (rows, columns, rising, falling uint64) {
	rows = discs & (discs >> 4 & 0x0f0f0f0f0f0f0f0f)
	rows &= rows >> 2
	rows &= rows >> 1
	rows = (rows&fileA)*0xff | fileA | fileH

	columns = discs & (discs>>32 | discs<<32)
	columns &= columns>>16 | columns<<48
	columns &= columns>>8 | columns<<56
	columns |= row1 | row8

	// Diagonals: what is empty spreads along them.
	const edge = fileA | fileH | row1 | row8
	empty := ^discs
	up, down := empty, empty
	for _, d := range [3]uint{9, 18, 36} {
		up |= up << d & spreadUp9[d/18]
		down |= down >> d & spreadDown9[d/18]
	}
	rising = ^(up | down) | edge
	up, down = empty, empty
	for _, d := range [3]uint{7, 14, 28} {
		up |= up << d & spreadUp7[d/14]
		down |= down >> d & spreadDown7[d/14]
	}
	falling = ^(up | down) | edge
	return rows, columns, rising, falling
}

// Where the fills of full may arrive after 1, 2 and 4 steps along a diagonal
// (indices 0, 1, 2): not in the columns beyond the edge they would run over.
var (
	spreadUp9   = [3]uint64{^uint64(fileA), ^uint64(fileA * 3), ^uint64(fileA * 15)}
	spreadDown9 = [3]uint64{^uint64(fileH), ^uint64(fileH | fileH>>1), ^uint64(fileA * 0xf0)}
	spreadUp7   = spreadDown9
	spreadDown7 = spreadUp9
)

// Bounds implements [game.Bounder]: stable discs of either side stay, so p ends
// with at least his own and at most all but the other's. The last empty square
// decides all: there the bounds are the result.
func (s *State) Bounds(p game.Player) (lo, hi float64) {
	at := s.look()
	if !at.bounded {
		at.bound()
	}
	if p == s.mover() {
		return float64(at.lo), float64(at.hi)
	}
	return float64(-at.hi), float64(-at.lo)
}

func (p *position) bound() {
	p.bounded = true
	empty := ^(p.own | p.opp)
	switch {
	case empty&(empty-1) == 0:
		u := int8(last(p.own, p.opp, empty))
		p.lo, p.hi = u, u
	case p.stage == over:
		u := int8(final(p.own, p.opp))
		p.lo, p.hi = u, u
	default:
		p.lo, p.hi = -64, 64
		if p.own != 0 {
			p.lo += int8(2 * popcount(Stable(p.own, p.opp)))
		}
		if p.opp != 0 {
			p.hi -= int8(2 * popcount(Stable(p.opp, p.own)))
		}
	}
}

// last is the utility of own's player, who is to move, with at most one square
// empty.
func last(own, opp, empty uint64) int {
	if empty == 0 {
		return final(own, opp)
	}
	sq := uint(bits.TrailingZeros64(empty))
	if f := Flips(sq, own, opp); f != 0 {
		return final(own^f|empty, opp^f)
	}
	if f := Flips(sq, opp, own); f != 0 {
		return final(own^f, opp^f|empty)
	}
	return final(own, opp)
}
