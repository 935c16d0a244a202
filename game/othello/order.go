package othello

import (
	"plyfit/game"
	"plyfit/internal/asm"
)

// order is what Rank knows of the position that it was asked about last, so
// that all moves of a node pay once.
type order struct {
	own, opp uint64
	empties  int
	odd      uint64 // the quadrants with an odd number of empty squares
}

// squareRank prefers corners, and squares away from them, among moves that leave
// the opponent as much to do.
var squareRank = makeSquareRank()

func makeSquareRank() (ranks [64]int8) {
	quadrant := [4][4]int8{
		{18, 4, 16, 12},
		{4, 2, 6, 8},
		{16, 6, 14, 10},
		{12, 8, 10, 0},
	}
	for sq := range ranks {
		r, c := sq/8, sq%8
		ranks[sq] = quadrant[min(r, 7-r)][min(c, 7-c)]
	}
	return ranks
}

// fewEmpties is up to which number of empty squares counting the opponent's
// replies costs more than it saves.
const fewEmpties = 5

// Rank implements [game.Ranker]: moves that leave fewer replies come first (fastest first: a
// refutation with few replies is cheap to check), a reply into a corner counting twice, an empty
// square next to the mover's discs, a possible later reply, a quarter; among equals moves into
// regions of odd size (the first to move there also moves last) and good squares. With few empty
// squares only the last two.
func (s *State) Rank(m game.Move) int32 {
	if m == Pass {
		return 0
	}
	p := s.at()
	o := &s.order
	if p.own != o.own || p.opp != o.opp {
		o.prepare(p.own, p.opp)
	}
	rank := int32(squareRank[m&63])
	bit := uint64(1) << (m & 63)
	if o.odd&bit != 0 {
		rank += 1 << 5
	}
	if o.empties <= fewEmpties {
		return rank
	}
	flips := asm.Flips(uint(m), p.own, p.opp)
	own, opp := p.own^flips|bit, p.opp^flips
	replies := asm.Mobility(opp, own)
	count := popcount(replies) + popcount(replies&corners)
	return rank - int32(4*count+popcount(Beside(own)&^(own|opp)))<<4
}

func (o *order) prepare(own, opp uint64) {
	o.own, o.opp = own, opp
	empty := ^(own | opp)
	o.empties = popcount(empty)
	o.odd = odd(empty)
}

// Beside is the set of squares that touch one of b's, and b.
func Beside(b uint64) uint64 {
	row := b | b<<1&^fileA | b>>1&^fileH
	return row | row<<8 | row>>8
}
