package chess

import "plyfit/game"

// worth orders pieces for captures.
var worth = [8]int32{Pawn: 1, Knight: 3, Bishop: 3, Rook: 5, Queen: 9, King: 10}

// Rank implements [game.Ranker]: promotions to a queen and captures, of the most valuable piece by
// the least valuable one (MVV-LVA); then quiet moves; last underpromotions and pieces that step
// into a pawn's attack.
func (s *State) Rank(m game.Move) int32 {
	p := &s.line[s.ply]
	kind := mover(m)
	rank := int32(0)
	if taken := p.taken(m); taken != NoPiece {
		rank = 1000 + 16*worth[taken] - worth[kind]
	}
	if m&promotes != 0 {
		if Piece(m>>codeShift&7) == Queen {
			return rank + 1100
		}
		return rank - 500
	}
	side := s.side()
	if kind != Pawn && rank == 0 && p.passers(int(m>>toShift&63), 1-side) != 0 {
		rank = -16 * worth[kind]
	}
	return rank
}

// gains are what pieces are worth at a level score, as the hand-written evaluation has
// it: tanh of .3 for each of the usual points (1, 3, 3, 5, 9), and a third more.
var gains = [8]float64{Pawn: .38, Knight: .83, Bishop: .83, Rook: .96, Queen: .998}

// Gain implements [game.Guessed]: what is taken, and the queen that a pawn becomes.
func (s *State) Gain(m game.Move) float64 {
	p := &s.line[s.ply]
	gain := gains[p.taken(m)]
	if m&promotes != 0 {
		return gains[Queen]
	}
	return gain
}
