package othello

import (
	"math/bits"

	"plyfit/game"
	"plyfit/internal/asm"
)

// stableDiscs returns discs of own that no move can ever flip. For each of its four lines, such a
// disc is at an end of the line, or the line is full, or an adjacent disc on the line is also in
// the set. The function starts with the discs for which each line is full or ends at the disc, and
// adds further discs until no more can be added. The set only grows during the game. It does not
// contain all stable discs.
func stableDiscs(own, opp uint64) uint64 {
	l := full(own | opp)
	return l.stable(own)
}

// StableBoth returns the stable discs of both sides, as computed by stableDiscs.
func StableBoth(own, opp uint64) (mine, theirs uint64) {
	l := full(own | opp)
	return l.stable(own), l.stable(opp)
}

// closed contains, for each of the four directions, the squares on which a disc cannot be enclosed
// in this direction, because the line is full or the square is at the end of the line.
type closed struct{ rows, columns, rising, falling uint64 }

func (l closed) stable(own uint64) uint64 {
	stable := own & l.rows & l.columns & l.rising & l.falling
	if stable == 0 { // there is nothing from which the set could grow
		return 0
	}
	for {
		next := own &
			(l.rows | stable<<1&^fileA | stable>>1&^fileH) &
			(l.columns | stable<<8 | stable>>8) &
			(l.rising | stable<<9&^fileA | stable>>9&^fileH) &
			(l.falling | stable<<7&^fileH | stable>>7&^fileA)
		if next |= stable; next == stable {
			return stable
		}
		stable = next
	}
}

func full(discs uint64) closed {
	rows := discs & (discs >> 4 & 0x0f0f0f0f0f0f0f0f)
	rows &= rows >> 2
	rows &= rows >> 1
	rows = (rows&fileA)*0xff | fileA | fileH

	columns := discs & (discs>>32 | discs<<32)
	columns &= columns>>16 | columns<<48
	columns &= columns>>8 | columns<<56
	columns |= row1 | row8

	// On diagonals, empty squares are spread along the line.
	const edge = fileA | fileH | row1 | row8
	empty := ^discs
	up, down := empty, empty
	for _, d := range [3]uint{9, 18, 36} {
		up |= up << d & spreadUp9[d/18]
		down |= down >> d & spreadDown9[d/18]
	}
	rising := ^(up | down) | edge
	up, down = empty, empty
	for _, d := range [3]uint{7, 14, 28} {
		up |= up << d & spreadUp7[d/14]
		down |= down >> d & spreadDown7[d/14]
	}
	falling := ^(up | down) | edge
	return closed{rows, columns, rising, falling}
}

// Masks for spreading in steps of 1, 2 and 4 squares along a diagonal (indices 0, 1, 2). They
// exclude the columns that a step reaches only by wrapping around the edge.
var (
	spreadUp9   = [3]uint64{^uint64(fileA), ^uint64(fileA * 3), ^uint64(fileA * 15)}
	spreadDown9 = [3]uint64{^uint64(fileH), ^uint64(fileH | fileH>>1), ^uint64(fileA * 0xf0)}
	spreadUp7   = spreadDown9
	spreadDown7 = spreadUp9
)

// Bounds implements [game.Bounder]. Stable discs are never lost, so p ends with at least the
// player's own stable discs and without any of the opponent's. With at most one empty square, the
// bounds equal the result.
func (s *State) Bounds(p game.Player) (lo, hi float64) {
	at := s.analysed()
	if !at.bounded {
		at.bound()
	}
	if p == s.mover() {
		return s.worth(int(at.lo)), s.worth(int(at.hi))
	}
	return s.worth(int(-at.hi)), s.worth(int(-at.lo))
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
		mine, theirs := StableBoth(p.own, p.opp)
		p.lo = int8(2*popcount(mine) - 64)
		p.hi = int8(64 - 2*popcount(theirs))
	}
}

// last returns the utility for the player to move, whose discs are own, if there is at most one
// empty square.
func last(own, opp, empty uint64) int {
	if empty == 0 {
		return final(own, opp)
	}
	sq := uint(bits.TrailingZeros64(empty))
	if f := asm.Flips(sq, own, opp); f != 0 {
		return final(own^f|empty, opp^f)
	}
	if f := asm.Flips(sq, opp, own); f != 0 {
		return final(own^f, opp^f|empty)
	}
	return final(own, opp)
}
