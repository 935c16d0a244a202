package othello

import (
	"plyfit/game"
	"plyfit/internal/asm"
)

// order caches the part of Rank's work that depends only on the position, so that it is done only
// once for all moves at a node.
type order struct {
	own, opp uint64
	empties  int
	odd      uint64 // empty squares in quadrants with an odd number of them
}

// squareRank ranks squares: corners highest, and squares next to corners low.
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

// fewEmpties is the maximum number of empty squares at which counting the opponent's replies costs
// more than it saves.
const fewEmpties = 5

// Rank implements [game.Ranker]. Moves that leave the opponent fewer replies come first, because a
// refutation with few replies is cheap to verify (fastest first). A reply into a corner counts
// twice. An empty square next to the mover's discs, which may become a reply later, counts a
// quarter.
//
// A move into a region of odd size gains as much as half a reply, because the first player to move
// into such a region also makes the last move there. The quality of the square adds little more
// than a quarter of a reply at most. With few empty squares, only these two criteria are used.
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
	return rank - int32(4*count+popcount(Adjacent(own)&^(own|opp)))<<4
}

func (o *order) prepare(own, opp uint64) {
	o.own, o.opp = own, opp
	empty := ^(own | opp)
	o.empties = popcount(empty)
	o.odd = odd(empty)
}

// Adjacent returns the squares in b and all squares adjacent to them.
func Adjacent(b uint64) uint64 {
	row := b | b<<1&^fileA | b>>1&^fileH
	return row | row<<8 | row>>8
}
