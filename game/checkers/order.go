package checkers

import (
	"math/bits"

	"plyfit/game"
)

// Noisy implements [game.Noisy]: jumps, which are forced; all moves or none.
func (s *State) Noisy(dst []game.Move) []game.Move {
	if s.Jumps(game.Player(s.side())) {
		return s.Moves(dst)
	}
	return dst
}

// Forced implements [game.Noisy]: who can jump must.
func (s *State) Forced() bool { return s.Jumps(game.Player(s.side())) }

// Jumps reports whether p could jump if it were his turn.
func (s *State) Jumps(p game.Player) bool {
	at := &s.line[s.ply]
	own, opp := at.men[p&1], at.men[1-p&1]
	return jumpers(int(p&1), own, own&at.kings, opp, board&^(own|opp)).any()
}

// Steps is how many steps p could make if it were his turn and he had no jump.
func (s *State) Steps(p game.Player) int {
	at := &s.line[s.ply]
	own, opp := at.men[p&1], at.men[1-p&1]
	f := movers(int(p&1), own, own&at.kings, board&^(own|opp))
	return bits.OnesCount64(f.up4) + bits.OnesCount64(f.up5) + bits.OnesCount64(f.down4) + bits.OnesCount64(f.down5)
}

// centre is where a piece reaches most squares.
var centre = Squares(14, 15, 18, 19, 10, 11, 22, 23)

// Squares is the set of the squares with these numbers.
func Squares(numbers ...int) (set uint64) {
	for _, n := range numbers {
		set |= 1 << (n - 1 + (n-1)/8)
	}
	return set
}

// Rank implements [game.Ranker]: captures, kings first; then crownings; then steps that leave the
// opponent no jump, towards the centre and forward; men leave the back row last.
func (s *State) Rank(m game.Move) int32 {
	p := &s.line[s.ply]
	side := s.side() & 1
	from := uint64(1) << (m & fromMask)
	to, captured := trace(m)
	king := p.kings&from != 0
	rank := int32(bits.OnesCount64(captured)+bits.OnesCount64(captured&p.kings)) << 8
	if !king && to&(topRow|bottom) != 0 {
		rank += 200
	}
	own, opp := p.men[side]&^from|to, p.men[1-side]&^captured
	if jumpers(1-side, opp, opp&p.kings, own, board&^(own|opp)).any() {
		rank -= 128
	}
	if to&centre != 0 {
		rank += 8
	}
	if !king {
		row := int32(bits.TrailingZeros64(to)) // white's go down the bits
		if side == 1 {
			row = numbered - row
		}
		rank += row >> 2
		if from&(topRow|bottom) != 0 {
			rank -= 32
		}
	}
	return rank
}
