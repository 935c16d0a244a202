// Package chess implements chess according to the FIDE laws. Draws that a player can claim are
// automatic.
//
// A position is a [State]. It is parsed from a FEN followed by the moves since the last
// irreversible one, or from a list of moves from the start. Moves are written in UCI notation
// (e2e4, e7e8q). [SAN] formats moves in standard algebraic notation (Nf3, exd8=Q+). The game's
// ParseMove reads both. White is player 0. The game ends with checkmate (1 or -1) or in a draw: by
// stalemate, by the third occurrence of a position, after 50 moves by each player without a capture
// or a pawn move, or if neither side has enough material to checkmate.
//
// The board is represented by bitboards, and only legal moves are generated. The attacks of sliders
// are computed with magic multiplications. Feature sets use [BishopAttacks] and similar functions.
package chess

import (
	"math"
	"math/bits"

	"plyfit/game"
)

// A State is a position with the earlier positions, which are needed for Undo and for detecting
// repetitions.
type State struct {
	line    []position
	ply     int // index of the current position
	root    int // index of the first position, at which Undo panics
	first   int // player to move at index 0
	count   int // number of the full move at index 0
	draws   int // index of the first position that can be drawn by repetition, clock or material
	scratch []game.Move
}

// A position contains the board, the rights and the clock in 56 bytes. Play writes a new position
// and Undo returns to the previous one, which is faster than reversing a move.
//
// A piece is a code of three bits (see [Piece]), and each of the three bits is stored as a set of
// squares. Squares in diag but not in leap contain bishops and queens, and squares in ortho but not
// in leap contain rooks and queens.
type position struct {
	white             uint64 // all of white's pieces
	diag, ortho, leap uint64 // the three bits of the codes of all pieces
	move              game.Move
	clock             uint16 // plies since the last capture or pawn move
	known             uint16 // number of earlier positions that could recur
	rights            uint8  // castling rights
	ep                uint8  // en passant square, or 0 if there is none
	stage             stage
	summed            bool   // whether past has been computed
	past              uint64 // hash sum of the earlier positions that could recur
}

// Piece is a kind of piece.
type Piece uint8

// Codes of the pieces. Sliders have bit 0 set if they move like a bishop and bit 1 if they move
// like a rook. The other pieces have bit 2 set.
const (
	NoPiece Piece = 0
	Bishop  Piece = 1
	Rook    Piece = 2
	Queen   Piece = 3
	Pawn    Piece = 4
	Knight  Piece = 5
	King    Piece = 6
)

const (
	whiteShort uint8 = 1 << iota
	whiteLong
	blackShort
	blackLong
)

type stage int8

const (
	unseen stage = iota
	playing
	mated // the player to move is checkmated
	stalemate
	repetition
	fiftyMoves
	material
)

var (
	_ game.Ranker      = (*State)(nil)
	_ game.Noisy       = (*State)(nil)
	_ game.Drawless    = (*State)(nil)
	_ game.Guessed     = (*State)(nil)
	_ game.Drawer      = (*State)(nil)
	_ game.BoardHasher = (*State)(nil)
	_ game.Illustrator = (*State)(nil)
)

func newState(p position, side, count int) *State {
	return &State{line: []position{p}, first: side, count: count}
}

// Of returns the chess position in s, without its wrappers, or nil for other games.
func Of(s game.State) *State {
	own, _ := game.Base(s).(*State)
	return own
}

func (s *State) side() int { return (s.first + s.ply) & 1 }

func (p *position) occupied() uint64 { return p.diag | p.ortho | p.leap }

func (p *position) own(side int) uint64 { return (p.white ^ -uint64(side)) & p.occupied() }

func (p *position) king(side int) int {
	return bits.TrailingZeros64(p.leap & p.ortho & p.own(side))
}

func (p *position) at(sq uint) Piece {
	return Piece(p.diag>>(sq&63)&1 | p.ortho>>(sq&63)&1<<1 | p.leap>>(sq&63)&1<<2)
}

// attackers returns the pieces of both sides that attack sq. occupied contains the blocking pieces.
// All pawns are treated as pawns of side's opponent.
func (p *position) attackers(sq, side int, occupied uint64) uint64 {
	sq &= 63
	return p.diag&^p.leap&bishopMagics[sq].attacks(occupied) |
		p.ortho&^p.leap&rookMagics[sq].attacks(occupied) |
		p.leap&(p.diag&knightAttacks[sq]|p.ortho&kingAttacks[sq]|pawnAttacks[side&1][sq]&^(p.diag|p.ortho))
}

func (p *position) checked(side int) bool {
	return p.attackers(p.king(side), side, p.occupied())&p.own(1-side) != 0
}

func (s *State) analysed() *position {
	p := &s.line[s.ply]
	if p.stage == unseen {
		p.stage = s.analyse(p)
	}
	return p
}

// analyse determines whether the game is over. Checkmate takes precedence over the clock.
func (s *State) analyse(p *position) stage {
	switch side := s.side(); {
	case s.canMove(p, side):
		return s.draw(p)
	case p.checked(side):
		return mated
	}
	return stalemate
}

// draw returns the reason why p, a position with legal moves, is a draw, or playing if it is not.
func (s *State) draw(p *position) stage {
	switch {
	case s.ply < s.draws:
	case p.clock >= clockLimit:
		return fiftyMoves
	case p.known >= 8 && s.repeated(p):
		return repetition
	case p.lacksMaterial():
		return material
	}
	return playing
}

// repeated reports whether p, the current position, occurs for the third time. A position cannot
// recur in fewer than four plies.
func (s *State) repeated(p *position) bool {
	times := 1
	for i := s.ply - 4; i >= s.ply-int(p.known); i -= 2 {
		q := &s.line[i]
		if q.leap == p.leap && q.diag == p.diag && q.ortho == p.ortho && q.white == p.white && q.rights == p.rights && q.ep == p.ep {
			if times++; times == 3 {
				return true
			}
		}
	}
	return false
}

// lacksMaterial reports whether no sequence of moves can lead to mate: there are only kings, kings
// and one knight, or kings and bishops on squares of the same colour.
func (p *position) lacksMaterial() bool {
	if p.ortho&^p.leap|p.leap&^(p.diag|p.ortho) != 0 { // rooks, queens and pawns
		return false
	}
	knights, bishops := p.leap&p.diag, p.diag&^p.leap
	switch {
	case knights != 0:
		return bishops == 0 && knights&(knights-1) == 0
	default:
		return bishops&light == 0 || bishops&^light == 0
	}
}

// Turn implements [game.State]. White is player 0.
func (s *State) Turn() game.Player {
	if s.analysed().stage != playing {
		return game.Nobody
	}
	return game.Player(s.side())
}

func (s *State) Play(m game.Move) {
	if s.ply+1 == len(s.line) {
		s.line = append(s.line, position{})
	}
	p, q := &s.line[s.ply], &s.line[s.ply+1]
	from, to := m&63, m>>toShift&63
	code, side := uint64(m>>codeShift&7), uint64(m>>sideShift)
	keep := ^(uint64(1)<<from | uint64(1)<<to)
	q.white = p.white&keep | (side^1)<<to
	q.diag = p.diag&keep | (code&1)<<to
	q.ortho = p.ortho&keep | (code>>1&1)<<to
	q.leap = p.leap&keep | (code>>2)<<to
	q.move = m
	q.ep, q.stage, q.summed = 0, unseen, false
	q.rights = p.rights &^ (lost[from] | lost[to])
	counts := uint16(m>>zeroShift&1) - 1 // all ones unless m is a capture or a pawn move
	q.clock = (p.clock + 1) & counts
	q.known = (p.known + 1) & counts
	if q.rights != p.rights {
		q.known = 0 // no earlier position can be repeated
	}
	s.ply++
	if m>>kindShift&3 != 0 {
		q.finish(m)
	}
}

// finish completes a move with special effects: en passant, castling, or a two-square pawn step.
func (q *position) finish(m game.Move) {
	to, side := int(m>>toShift&63), int(m>>sideShift)
	switch m >> kindShift & 3 {
	case enPassant:
		capturedPawn := ^(uint64(1) << (to ^ 8))
		q.white &= capturedPawn
		q.leap &= capturedPawn
	case castling:
		from, beside := to+1, to-1 // the squares of the rook
		if to&7 == 2 {
			from, beside = to-2, to+1
		}
		rook := uint64(1)<<from | uint64(1)<<beside
		q.ortho ^= rook
		q.white ^= rook &^ -uint64(side)
	case double:
		if q.pass(to^8, 1-side) {
			q.ep = uint8(to ^ 8)
		}
	}
}

// pass reports whether side, which is to move, has a legal en passant capture on ep. If it has
// none, the right is not part of the position (FIDE laws, 9.2.3).
func (p *position) pass(ep, side int) bool {
	for b := p.passers(ep, side); b != 0; b &= b - 1 {
		if p.passLegal(bits.TrailingZeros64(b), ep, side) {
			return true
		}
	}
	return false
}

// passers returns the pawns of side that attack ep.
func (p *position) passers(ep, side int) uint64 {
	return pawnAttacks[1-side&1][ep&63] & p.leap &^ (p.diag | p.ortho) & p.own(side)
}

// passLegal reports whether the king of side is safe after its pawn captures en passant on ep. from
// is the pawn's square.
func (p *position) passLegal(from, ep, side int) bool {
	taken := uint64(1) << (ep ^ 8)
	occupied := p.occupied()&^(taken|1<<from) | 1<<ep
	return p.attackers(p.king(side), side, occupied)&p.own(1-side)&^taken == 0
}

// MayPass implements [game.Guessed]. It reports whether the mover is not in check and has pieces
// other than the king and pawns. Without such pieces, being obliged to move often loses (zugzwang).
func (s *State) MayPass() bool {
	p, side := &s.line[s.ply], s.side()
	return (p.diag|p.ortho&^p.leap)&p.own(side) != 0 && !p.checked(side)
}

// Pass implements [game.Guessed]. After a pass, earlier positions do not count as repeated.
func (s *State) Pass() {
	if s.ply+1 == len(s.line) {
		s.line = append(s.line, position{})
	}
	p, q := &s.line[s.ply], &s.line[s.ply+1]
	*q = *p
	q.ep, q.stage, q.summed, q.known = 0, unseen, false, 0
	q.clock++
	s.ply++
}

func (s *State) Undo() { game.StepBack(&s.ply, s.root, "chess") }

// Utility implements [game.State]: 1, 0 or -1.
func (s *State) Utility(p game.Player) float64 {
	switch {
	case s.analysed().stage != mated:
		return 0
	case int(p) == s.side():
		return -1
	}
	return 1
}

// key returns a hash of the board, the rights and the side to move. Most positions need no hash, so
// computing it with a few multiplications of the bitboards costs less than updating a Zobrist hash
// in every Play.
func (p *position) key(side int) uint64 {
	hi, lo := bits.Mul64(p.white^0x2d358dccaa6c78a5, p.diag^0x8bb84b93962eacc9)
	rest := uint64(side) | uint64(p.rights)<<1 | uint64(p.ep)<<5
	up, down := bits.Mul64(p.ortho^0x4b33a62ed433d4a3, p.leap^0x4d5a2da51de1aa47)
	hi, lo = bits.Mul64(hi^lo^0xa0761d6478bd642f, up^down^rest*0x9e3779b97f4a7c15)
	return hi ^ lo
}

// Hash implements [game.State]. It covers the board, the rights and the side to move. After a
// reversible move, it also covers the clock and the set of positions since the last irreversible
// move, because all of these affect the rest of the game. If a board is reached by different
// reversible moves, its hashes therefore usually differ.
func (s *State) Hash() uint64 {
	p := &s.line[s.ply]
	h := p.key(s.side())
	if p.clock != 0 {
		h ^= game.Mix(s.past(p) + uint64(p.clock))
	}
	return h
}

// past returns the hash sum of the earlier positions that could recur. It is computed on demand and
// cached.
func (s *State) past(p *position) uint64 {
	i := s.ply
	for s.line[i].known > 0 && !s.line[i].summed {
		i--
	}
	sum := uint64(0)
	if s.line[i].known > 0 {
		sum = s.line[i].past
	}
	for ; i < s.ply; i++ {
		sum += game.Mix(s.line[i].key((s.first + i) & 1))
		s.line[i+1].past, s.line[i+1].summed = sum, true
	}
	return sum
}

func (s *State) BoardHash() uint64 { return s.line[s.ply].key(s.side()) }

// Clone implements [game.State]. The copy includes the earlier positions that may be repeated.
func (s *State) Clone() game.State {
	from := s.ply - int(s.line[s.ply].known)
	c := &State{
		line:  append(make([]position, 0, s.ply+1-from+16), s.line[from:s.ply+1]...),
		ply:   s.ply - from,
		first: (s.first + from) & 1,
		count: s.number(from),
		draws: max(0, s.draws-from),
	}
	c.root = c.ply
	return c
}

// WithoutDraws implements [game.Drawless]. In the copy, only checkmate and stalemate end the game.
func (s *State) WithoutDraws() game.State { return s.drawnFrom(math.MaxInt) }

// DrawsBelow returns a copy of the position that does not itself count as drawn by repetition,
// clock or material. Later positions can still be drawn in these ways.
func (s *State) DrawsBelow() game.State { return s.drawnFrom(s.ply + 1) }

// drawnFrom returns a copy in which only positions at or after the given index in line can be
// drawn.
func (s *State) drawnFrom(index int) game.State {
	c := s.Clone().(*State)
	c.draws = index - (s.ply - c.ply)
	c.line[c.ply].stage = unseen
	return c
}

// number returns the number of the full move at the given index in line. It increases when it is
// white's turn.
func (s *State) number(index int) int { return s.count + (s.first+index)/2 }

// Army returns p's pieces by kind. The entry for NoPiece contains all of them.
func (s *State) Army(p game.Player) (pieces [King + 1]uint64) {
	at := &s.line[s.ply]
	own := at.own(int(p & 1))
	slide, leap := own&^at.leap, own&at.leap
	pieces[NoPiece] = own
	pieces[Bishop], pieces[Rook], pieces[Queen] = slide&^at.ortho, slide&^at.diag, slide&at.diag&at.ortho
	pieces[Pawn], pieces[Knight], pieces[King] = leap&^(at.diag|at.ortho), leap&at.diag, leap&at.ortho
	return pieces
}

// CastlingRights returns the number of castling rights that p still has, from 0 to 2.
func (s *State) CastlingRights(p game.Player) int {
	return bits.OnesCount8(s.line[s.ply].rights >> (2 * (p & 1)) & 3)
}
