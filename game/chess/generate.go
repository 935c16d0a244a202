package chess

import (
	"math/bits"
	"slices"

	"plyfit/game"
)

// A move consists of the following parts, each with its number of bits: the origin (6), the target
// (6), the piece that arrives (3), whether the clock restarts (1), special effects (2), whether a
// pawn is promoted (1), and the side (1).
const (
	toShift   = 6
	codeShift = 12
	zeroShift = 15
	kindShift = 16
	sideShift = 19

	double    = 1 // two-square step of a pawn to a square next to an enemy pawn
	enPassant = 2
	castling  = 3

	zeroes   game.Move = 1 << zeroShift
	promotes game.Move = 1 << 18
)

// mostMoves exceeds the number of moves in any position. The record is 218, for positions with at
// most eight promotions, a limit that the FEN reader enforces.
const mostMoves = 256

func (s *State) Moves(dst []game.Move) []game.Move {
	p := &s.line[s.ply]
	switch p.stage {
	case playing:
	case unseen:
		if s.draw(p) != playing {
			return dst
		}
	default:
		return dst
	}
	return p.generate(dst, s.side(), ^uint64(0))
}

// Noisy implements [game.Noisy]. It lists captures that do not lose the exchange and promotions to
// a queen, or all moves if the king is in check. Other noisy moves would account for most of the
// quiescence search, but would hardly ever change its value.
func (s *State) Noisy(dst []game.Move) []game.Move {
	p := s.analysed()
	if p.stage != playing {
		return dst
	}
	side := s.side()
	if p.checked(side) {
		return p.generate(dst, side, ^uint64(0))
	}
	first := len(dst)
	dst = p.generate(dst, side, p.own(1-side))
	kept := dst[:first]
	for _, m := range dst[first:] {
		if m&promotes != 0 && Piece(m>>codeShift&7) == Queen || m&promotes == 0 && !p.losing(m, side) {
			kept = append(kept, m)
		}
	}
	return kept
}

// Forced implements [game.Noisy]. It reports whether the mover is in check.
func (s *State) Forced() bool { return s.line[s.ply].checked(s.side()) }

// canMove reports whether side, which is to move, has a legal move. If an unpinned pawn can step
// forward, no moves need to be generated.
func (s *State) canMove(p *position, side int) bool {
	checks, pinned := p.threats(side)
	if checks == 0 {
		occupied := p.occupied()
		pawns := p.leap &^ (p.diag | p.ortho | pinned) & p.own(side)
		if bits.RotateLeft64(pawns, 8-16*side)&^occupied != 0 {
			return true
		}
	}
	s.scratch = p.generate(s.scratch[:0], side, ^uint64(0))
	return len(s.scratch) > 0
}

// threats returns the pieces that give check to side's king, and side's pieces that are pinned to
// it.
func (p *position) threats(side int) (checks, pinned uint64) {
	occupied := p.occupied()
	own := p.own(side)
	enemy := occupied ^ own
	king := bits.TrailingZeros64(p.leap&p.ortho&own) & 63
	checks = enemy & p.leap & (p.diag&knightAttacks[king] | pawnAttacks[side&1][king]&^(p.diag|p.ortho))
	snipers := enemy &^ p.leap & (p.diag&bishopRays[king] | p.ortho&rookRays[king])
	for ; snipers != 0; snipers &= snipers - 1 {
		sniper := bits.TrailingZeros64(snipers)
		blockers := between[king][sniper] & occupied
		switch {
		case blockers == 0:
			checks |= snipers & -snipers
		case blockers&(blockers-1) == 0:
			pinned |= blockers & own
		}
	}
	return checks, pinned
}

// A list is a buffer for moves. It is large enough for any position, so no bounds checks are
// needed.
type list struct {
	moves *[mostMoves]game.Move
	n     uint8
	side  game.Move // side to move, at the bit where a move stores it
}

// add appends the moves of a piece to each target square.
func (l *list) add(from int, code Piece, targets, enemy uint64) {
	head := game.Move(from) | game.Move(code)<<codeShift | l.side
	n := l.n
	for ; targets != 0; targets &= targets - 1 {
		to := bits.TrailingZeros64(targets)
		l.moves[n] = head | game.Move(to)<<toShift | game.Move(enemy>>(to&63)&1)<<zeroShift
		n++
	}
	l.n = n
}

// generate appends the legal moves of side, which is to move, to the target squares. It also
// appends promotions and en passant captures to other squares.
func (p *position) generate(dst []game.Move, side int, targets uint64) []game.Move {
	start := len(dst)
	if cap(dst)-start < mostMoves {
		dst = slices.Grow(dst, mostMoves)
	}
	l := list{moves: (*[mostMoves]game.Move)(dst[start : start+mostMoves]), side: game.Move(side) << sideShift}

	occupied := p.occupied()
	own := p.own(side)
	enemy := occupied ^ own
	king := bits.TrailingZeros64(p.leap&p.ortho&own) & 63
	checks, pinned := p.threats(side)

	p.kingMoves(&l, king, side, targets)
	reach := targets &^ own // squares to which pieces may move
	if checks != 0 {
		if checks&(checks-1) != 0 {
			return dst[:start+int(l.n)]
		}
		reach &= checks | between[king][bits.TrailingZeros64(checks)&63]
	} else if p.rights != 0 {
		p.castlings(&l, side, targets)
	}

	for b := p.leap & p.diag & own &^ pinned; b != 0; b &= b - 1 {
		from := bits.TrailingZeros64(b)
		l.add(from, Knight, knightAttacks[from&63]&reach, enemy)
	}
	for b := own &^ p.leap; b != 0; b &= b - 1 {
		from := bits.TrailingZeros64(b) & 63
		code := p.at(uint(from))
		attacks := uint64(0)
		if code&Bishop != 0 {
			attacks = bishopMagics[from].attacks(occupied)
		}
		if code&Rook != 0 {
			attacks |= rookMagics[from].attacks(occupied)
		}
		if attacks &= reach; b&-b&pinned != 0 {
			attacks &= through[king][from]
		}
		l.add(from, code, attacks, enemy)
	}
	p.pawnMoves(&l, side, targets, checks, pinned)
	return dst[:start+int(l.n)]
}

// kingMoves appends the king's moves to squares that are not attacked once the king has left its
// own.
func (p *position) kingMoves(l *list, king, side int, targets uint64) {
	own := p.own(side)
	occupied := p.occupied()
	enemy := occupied ^ own
	safe := uint64(0)
	for b := kingAttacks[king&63] & targets &^ own; b != 0; b &= b - 1 {
		if p.attackers(bits.TrailingZeros64(b), side, occupied&^(1<<king))&enemy == 0 {
			safe |= b & -b
		}
	}
	l.add(king, King, safe, enemy)
}

// castlings appends the castling moves of a side that is not in check.
func (p *position) castlings(l *list, side int, targets uint64) {
	occupied := p.occupied()
	enemy := occupied ^ p.own(side)
	home := 56 * side
	rights := p.rights >> (2 * side)
	for i, way := range [2]struct{ empty, safe, to uint64 }{{0x60, 0x60, 0x40}, {0x0e, 0x0c, 0x04}} {
		if rights>>i&1 == 0 || occupied&(way.empty<<home) != 0 || targets&(way.to<<home) == 0 {
			continue
		}
		attacked := false
		for b := way.safe << home; b != 0; b &= b - 1 {
			attacked = attacked || p.attackers(bits.TrailingZeros64(b), side, occupied)&enemy != 0
		}
		if !attacked {
			to := bits.TrailingZeros64(way.to) + home
			l.moves[l.n] = game.Move(home+4) | game.Move(to)<<toShift | game.Move(King)<<codeShift | castling<<kindShift | l.side
			l.n++
		}
	}
}

// pawnMoves appends pawn moves. checks and pinned are the results of the function threats.
func (p *position) pawnMoves(l *list, side int, targets, checks, pinned uint64) {
	occupied := p.occupied()
	own := p.own(side)
	enemy := occupied ^ own
	pawns := p.leap &^ (p.diag | p.ortho) & own
	king := bits.TrailingZeros64(p.leap&p.ortho&own) & 63
	evade := ^uint64(0)
	if checks != 0 {
		evade = checks | between[king][bits.TrailingZeros64(checks)&63]
	}
	up := 8 - 16*side

	// Pinned pawns are rare. They can move only along the line of the pin.
	for b := pawns & pinned; b != 0; b &= b - 1 {
		from := bits.TrailingZeros64(b)
		p.pawnsFrom(l, b&-b, side, up, enemy, occupied, evade&through[king][from], targets)
	}
	if free := pawns &^ pinned; free != 0 {
		p.pawnsFrom(l, free, side, up, enemy, occupied, evade, targets)
	}
	if ep := int(p.ep); ep != 0 && targets != 0 {
		for b := p.passers(ep, side); b != 0; b &= b - 1 {
			if from := bits.TrailingZeros64(b); p.passLegal(from, ep, side) {
				l.moves[l.n] = game.Move(from) | game.Move(ep)<<toShift | game.Move(Pawn)<<codeShift | zeroes | enPassant<<kindShift | l.side
				l.n++
			}
		}
	}
}

// pawnsFrom appends the given pawns' captures and steps to squares in the set evade. Steps other
// than promotions must also end on squares in the set targets.
func (p *position) pawnsFrom(l *list, pawns uint64, side, up int, enemy, occupied, evade, targets uint64) {
	const last = rank1 | rank8
	targets |= last
	west := bits.RotateLeft64(pawns&^fileA, up-1) & enemy & evade
	east := bits.RotateLeft64(pawns&^fileH, up+1) & enemy & evade
	one := bits.RotateLeft64(pawns, up) &^ occupied
	third := rank1 << 16
	if side == 1 {
		third = rank1 << 40
	}
	two := bits.RotateLeft64(one&third, up) &^ occupied & evade & targets
	one &= evade & targets
	l.pawns(west, up-1)
	l.pawns(east, up+1)
	l.pawns(one, up)
	theirs := p.leap &^ (p.diag | p.ortho) & enemy
	beside := theirs&^fileA>>1 | theirs&^fileH<<1
	for ; two != 0; two &= two - 1 {
		to := bits.TrailingZeros64(two)
		l.moves[l.n] = game.Move(to-2*up) | game.Move(to)<<toShift | game.Move(Pawn)<<codeShift | zeroes |
			game.Move(beside>>(to&63)&1)<<kindShift | l.side
		l.n++
	}
}

// pawns appends the moves of pawns that arrive on the given targets. step is the number of the
// target square minus that of the origin.
func (l *list) pawns(targets uint64, step int) {
	const last = rank1 | rank8
	n := l.n
	head := zeroes | l.side
	for b := targets &^ last; b != 0; b &= b - 1 {
		to := bits.TrailingZeros64(b)
		l.moves[n] = game.Move(to-step) | game.Move(to)<<toShift | game.Move(Pawn)<<codeShift | head
		n++
	}
	for b := targets & last; b != 0; b &= b - 1 {
		to := bits.TrailingZeros64(b)
		for _, code := range [4]Piece{Queen, Knight, Rook, Bishop} {
			l.moves[n] = game.Move(to-step) | game.Move(to)<<toShift | game.Move(code)<<codeShift | promotes | head
			n++
		}
	}
	l.n = n
}
