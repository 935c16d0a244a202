// Package g2048 is the game of 2048 on boards of 2x2 to 4x4.
//
// The journey: [New] makes the game; a [State] is 64 bits, four for each cell's exponent, and a
// score; rules.go slides whole rows by table. At the start nature puts two tiles on an empty board;
// then the player and nature take turns. The score is part of the position and is the utility.
package g2048

import (
	"math/bits"

	"plyfit/game"
	"plyfit/internal/asm"
)

// The player's moves. Nature's are 2*cell for a 2 and 2*cell+1 for a 4, cells
// counted from 0, four to a row whatever the size.
const (
	moveLeft game.Move = iota
	moveRight
	moveUp
	moveDown
)

// State is a position.
type State struct {
	*rules
	ply  int        // of the position in line
	line []position // since the first, which has nothing to undo; beyond ply it is room
	memo [16]moved  // by ply: what Moves computed, for the Play that follows
}

type position struct {
	board uint64
	score int32
	limit int32 // no more than this can still be gained, see ceiling
	turn  game.Player
}

func (r *rules) state(p position) *State {
	s := &State{rules: r, line: make([]position, 64)}
	s.line[0] = p
	return s
}

func (s *State) at() *position { return &s.line[s.ply] }

// moved is a board with what the four moves make of it.
type moved struct {
	from uint64
	to   [4]uint64
	gain [2]int32 // of left and right, of up and down
}

var (
	_ game.Chancer     = (*State)(nil)
	_ game.Scorer      = (*State)(nil)
	_ game.Bounder     = (*State)(nil)
	_ game.Drawer      = (*State)(nil)
	_ game.Illustrator = (*State)(nil)
	_ game.Celled      = (*State)(nil)
)

// Board is the exponents of the tiles, 0 for an empty cell: the one in row r
// and column c, from the top left, stands in the four bits from 16r+4c.
func (s *State) Board() uint64 { return s.at().board }

// Size is the number of rows and of columns.
func (s *State) Size() int { return s.size }

// Empty is the number of empty cells.
func (s *State) Empty() int { return bits.OnesCount64(s.empty(s.at().board)) }

// empty is the lowest bit of each empty cell.
func (r *rules) empty(b uint64) uint64 {
	return ^(b | b>>1 | b>>2 | b>>3) & r.cells
}

func (s *State) Turn() game.Player { return s.at().turn }

func (s *State) Score(game.Player) float64 { return float64(s.at().score) }

// Utility implements [game.State]: the score.
func (s *State) Utility(game.Player) float64 { return float64(s.at().score) }

// Bounds implements [game.Bounder]: from the score to what [ceiling] allows.
func (s *State) Bounds(game.Player) (lo, hi float64) {
	p := s.at()
	return float64(p.score), float64(p.score + p.limit)
}

// Moves implements [game.State]: those of left, right, up and down that change
// the board; nature's, cell by cell, a 2 before a 4.
func (s *State) Moves(dst []game.Move) []game.Move {
	p := s.at()
	switch p.turn {
	case game.Nobody:
		return dst
	case game.Chance:
		empty := s.empty(p.board)
		n := len(dst)
		for cap(dst) < n+2*16 {
			dst = append(dst[:cap(dst)], 0)
		}
		out := dst[n : n+2*16]
		k := 0
		for ; empty != 0; empty &= empty - 1 {
			m := game.Move(bits.TrailingZeros64(empty) >> 1)
			out[k&31], out[(k+1)&31] = m, m+1
			k += 2
		}
		return dst[:n+k]
	}
	for m, to := range s.after(p.board).to {
		if to != p.board {
			dst = append(dst, game.Move(m))
		}
	}
	return dst
}

// After are the boards after each move, by move, and the gains: left's and right's, then up's and
// down's. A move that leaves the board unchanged is illegal. Nothing is played: it is for callers
// that need all successors of every position.
func (s *State) After() (boards *[4]uint64, gains *[2]int32) {
	m := s.after(s.at().board)
	return &m.to, &m.gain
}

// after is what the four moves make of the present board.
func (s *State) after(board uint64) *moved {
	m := &s.memo[s.ply&15]
	if m.from != board {
		m.from = board
		m.to[moveLeft], m.to[moveRight], m.gain[0] = s.move(board)
		up, down, gain := s.move(asm.Transpose(board))
		m.to[moveUp], m.to[moveDown], m.gain[1] = asm.Transpose(up), asm.Transpose(down), gain
	}
	return m
}

func (s *State) Play(m game.Move) {
	if s.ply+1 >= len(s.line) {
		s.line = append(s.line, make([]position, len(s.line))...)
	}
	p, q := &s.line[s.ply], &s.line[s.ply+1]
	if p.turn != game.Chance {
		a := s.after(p.board)
		gain := a.gain[m>>1&1]
		*q = position{a.to[m&3], p.score + gain, p.limit - gain, game.Chance}
		s.ply++
		return
	}
	board := p.board | uint64(1+m&1)<<(m>>1<<2&63)
	limit := p.limit - int32(m&1)<<2 // a new 4 is worth what no one gained
	turn := game.Player(0)
	if p.board == 0 {
		turn = game.Chance
	} else if s.empty(board) == 0 && s.stuck(board) {
		turn, limit = game.Nobody, 0
	}
	*q = position{board, p.score, limit, turn}
	s.ply++
}

// stuck reports whether no move changes a board without empty cells: no neighbours are equal,
// except the highest. Any other board with tiles has a move along a line with both.
func (r *rules) stuck(b uint64) bool {
	highest := b & (b >> 1) & (b >> 2) & (b >> 3) & r.cells
	right := b ^ b>>4 // zero where a cell equals its right neighbour
	below := b ^ b>>16
	right |= right>>1 | right>>2 | right>>3
	below |= below>>1 | below>>2 | below>>3
	return (^right&r.haveRight|^below&r.haveBelow)&^highest == 0
}

func (s *State) Undo() {
	if s.ply == 0 {
		panic("2048: Undo at the first position")
	}
	s.ply--
}

// Rewind undoes all moves and keeps their room.
func (s *State) Rewind() { s.ply = 0 }

// Prob implements [game.Chancer]: a 2 in nine cases of ten, in any empty cell.
func (s *State) Prob(m game.Move) float64 { return chances[m&1][s.Empty()&31] }

// SampleChance is [game.Drawn] without a list of moves.
func (s *State) SampleChance(u float64) game.Move {
	empty := s.empty(s.at().board)
	n := bits.OnesCount64(empty)
	u = float64(u * float64(n))
	cell := min(int(u), n-1)
	four := game.Move(0)
	if u-float64(cell) >= 0.9 {
		four = 1
	}
	// The cell is behind as many as have at most that many empty ones up to their own. The last
	// one has more: its number may overflow.
	const high, ones = 0x8080808080808080, 0x0101010101010101
	upTo := empty * 0x1111111111111111
	more := uint64(cell+1) * ones
	even := (upTo&(15*ones) | high) - more
	odd := (upTo>>4&(15*ones) | high) - more
	behind := 15 - bits.OnesCount64(even&high) - bits.OnesCount64(odd&(high>>8))
	return game.Move(behind)<<1 | four
}

// Largest is the exponent of the largest tile, 0 on an empty board.
func (s *State) Largest() (e int) {
	for b := s.at().board; b != 0; b >>= 4 {
		e = max(e, int(b&15))
	}
	return e
}

func (s *State) For() game.Player { return 0 }

// chances[1][n] is the probability of a 4 in a given one of n empty cells,
// chances[0][n] that of a 2.
var chances = func() (table [2][32]float64) {
	for n := 1; n <= 16; n++ {
		table[0][n], table[1][n] = 0.9/float64(n), 0.1/float64(n)
	}
	return table
}()

// Hash implements [game.State]: a product of board and score, its two halves added up.
func (s *State) Hash() uint64 {
	p := s.at()
	rest := uint64(uint32(p.score))<<8 | uint64(uint8(p.turn))
	hi, lo := bits.Mul64(p.board^0xa0761d6478bd642f, rest^0xe7037ed1a0b428db)
	hi, lo = bits.Mul64(hi^lo^p.board, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

func (s *State) Clone() game.State { return s.state(*s.at()) }
