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

// losing reports whether m, a capture by side, loses material once both sides have taken on its
// square as long as it pays, the least valuable piece first: the static exchange evaluation (Slate
// and Atkin 1977) with the units of [worth], below zero. It ignores pins and the rest of the board.
func (p *position) losing(m game.Move, side int) bool {
	kind := mover(m)
	balance := worth[kind] - worth[p.taken(m)] // at stake for side, once it is taken back
	if balance <= 0 {
		return false
	}
	to := int(m >> toShift & 63)
	occupied := p.occupied() &^ (1 << (m & 63))
	armies := [2]uint64{p.own(0), p.own(1)}
	takers := p.attackers(to, 0, occupied)&armies[1] | p.attackers(to, 1, occupied)&armies[0]
	// lost says how m ends if the one who is to take now does not.
	lost := false
	for mover := 1 - side; ; mover = 1 - mover {
		takers &= occupied
		own := takers & armies[mover]
		if own == 0 {
			return lost
		}
		b, kind := p.least(own)
		if kind == King && takers&armies[1-mover] != 0 {
			return lost // he would be taken himself
		}
		lost = !lost
		if balance = worth[kind] - balance; balance < 0 || balance == 0 && !lost {
			return lost // not even if that piece is lost, too
		}
		occupied &^= b
		// What stood behind it on a line joins in.
		sliders := p.diag&bishopMagics[to].attacks(occupied) | p.ortho&rookMagics[to].attacks(occupied)
		takers |= sliders &^ p.leap
	}
}

// least is the least valuable of pieces, which are not none, and what it is.
func (p *position) least(pieces uint64) (bit uint64, kind Piece) {
	for _, k := range [6]Piece{Pawn, Knight, Bishop, Rook, Queen, King} {
		if b := pieces & p.kind(k); b != 0 {
			return b & -b, k
		}
	}
	return 0, NoPiece
}

// kind are all pieces of a kind, of both sides.
func (p *position) kind(k Piece) uint64 {
	same := func(bit Piece, set uint64) uint64 {
		if k&bit != 0 {
			return set
		}
		return ^set
	}
	return same(1, p.diag) & same(2, p.ortho) & same(4, p.leap)
}
