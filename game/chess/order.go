package chess

import "plyfit/game"

// worth contains the piece values used for ordering captures.
var worth = [8]int32{Pawn: 1, Knight: 3, Bishop: 3, Rook: 5, Queen: 9, King: 10}

// Rank implements [game.Ranker]. Promotions to a queen and captures come first, ordered by the most
// valuable victim and then by the least valuable attacker (MVV-LVA). Quiet moves follow. Quiet
// moves to squares attacked by a pawn and quiet underpromotions come last.
func (s *State) Rank(m game.Move) int32 {
	p := &s.line[s.ply]
	kind := mover(m)
	rank := int32(0)
	if captured := p.captured(m); captured != NoPiece {
		rank = 1000 + 16*worth[captured] - worth[kind]
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

// gains contains the value of winning each kind of piece when the score is level, according to the
// hand-written evaluation: tanh of 0.3 times the usual piece values (1, 3, 3, 5, 9), which are
// first increased by a third.
var gains = [8]float64{Pawn: .38, Knight: .83, Bishop: .83, Rook: .96, Queen: .998}

// Gain implements [game.Guessed]. It returns the gain from the captured piece, or the gain from a
// queen for a promotion.
func (s *State) Gain(m game.Move) float64 {
	p := &s.line[s.ply]
	gain := gains[p.captured(m)]
	if m&promotes != 0 {
		return gains[Queen]
	}
	return gain
}

// losing reports whether m, a capture by side, loses material if both sides continue to capture on
// the same square, least valuable piece first, for as long as this is worthwhile. It is the static
// exchange evaluation (Slate and Atkin 1977) with the values in [worth]. It ignores pins and the
// rest of the board.
func (p *position) losing(m game.Move, side int) bool {
	kind := mover(m)
	balance := worth[kind] - worth[p.captured(m)] // loss of side if its capturing piece is captured in turn
	if balance <= 0 {
		return false
	}
	to := int(m >> toShift & 63)
	occupied := p.occupied() &^ (1 << (m & 63))
	armies := [2]uint64{p.own(0), p.own(1)}
	takers := p.attackers(to, 0, occupied)&armies[1] | p.attackers(to, 1, occupied)&armies[0]
	// lost is the result for m if the side that may capture next does not do so.
	lost := false
	for mover := 1 - side; ; mover = 1 - mover {
		takers &= occupied
		own := takers & armies[mover]
		if own == 0 {
			return lost
		}
		b, kind := p.least(own)
		if kind == King && takers&armies[1-mover] != 0 {
			return lost // the king would be captured in turn
		}
		lost = !lost
		if balance = worth[kind] - balance; balance < 0 || balance == 0 && !lost {
			return lost // capturing is not worthwhile, even if that piece is lost too
		}
		occupied &^= b
		// Sliders behind the capturing piece now also attack the square.
		sliders := p.diag&bishopMagics[to].attacks(occupied) | p.ortho&rookMagics[to].attacks(occupied)
		takers |= sliders &^ p.leap
	}
}

// least returns the least valuable of the given pieces and its kind. There must be at least one
// piece.
func (p *position) least(pieces uint64) (bit uint64, kind Piece) {
	for _, k := range [6]Piece{Pawn, Knight, Bishop, Rook, Queen, King} {
		if b := pieces & p.kind(k); b != 0 {
			return b & -b, k
		}
	}
	return 0, NoPiece
}

// kind returns all pieces of a kind, of both sides.
func (p *position) kind(k Piece) uint64 {
	same := func(bit Piece, set uint64) uint64 {
		if k&bit != 0 {
			return set
		}
		return ^set
	}
	return same(1, p.diag) & same(2, p.ortho) & same(4, p.leap)
}
