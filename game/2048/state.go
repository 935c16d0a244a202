// Package g2048 implements the game 2048 on boards from 2x2 to 4x4.
//
// A [State] contains the score and the board, which is stored in 64 bits, with four bits for the
// exponent of each cell. A table contains the moves of all rows. At the start, nature puts two
// tiles on an empty board. After that, the player and nature alternate. The score is part of the
// position and is also the utility.
package g2048

import (
	"math/bits"

	"plyfit/game"
	"plyfit/internal/asm"
)

// The player's moves. Nature's moves are 2*cell for a 2 and 2*cell+1 for a 4. Cells are counted
// from 0, with four cells per row on boards of all sizes.
const (
	moveLeft game.Move = iota
	moveRight
	moveUp
	moveDown
)

// A State is a position.
type State struct {
	*rules
	ply  int        // index of the current position in line
	line []position // positions since the first one, which has nothing to undo; entries after ply are unused
	memo [16]moved  // results of the four moves for recent plies, which Moves leaves for Play
}

type position struct {
	board uint64
	score int32
	limit int32 // upper bound for the points that can still be gained (see ceiling)
	turn  game.Player
}

func (r *rules) state(p position) *State {
	s := &State{rules: r, line: make([]position, 64)}
	s.line[0] = p
	return s
}

func (s *State) at() *position { return &s.line[s.ply] }

// moved contains a board and the boards after the four moves.
type moved struct {
	from uint64
	to   [4]uint64
	gain [2]int32 // gains of left and right, and of up and down
}

var (
	_ game.Chancer     = (*State)(nil)
	_ game.Scorer      = (*State)(nil)
	_ game.Bounder     = (*State)(nil)
	_ game.Drawer      = (*State)(nil)
	_ game.Illustrator = (*State)(nil)
	_ game.Celled      = (*State)(nil)
)

// Board returns the exponents of the tiles, with 0 for an empty cell. The four bits beginning at
// 16r+4c contain the exponent in row r and column c, counted from the top left.
func (s *State) Board() uint64 { return s.at().board }

// Size returns the number of rows, which is also the number of columns.
func (s *State) Size() int { return s.size }

// Empty returns the number of empty cells.
func (s *State) Empty() int { return bits.OnesCount64(s.empty(s.at().board)) }

// empty returns the lowest bit of each empty cell.
func (r *rules) empty(b uint64) uint64 {
	return ^(b | b>>1 | b>>2 | b>>3) & r.cells
}

func (s *State) Turn() game.Player { return s.at().turn }

func (s *State) Score(game.Player) float64 { return float64(s.at().score) }

// Utility implements [game.State]. It returns the score.
func (s *State) Utility(game.Player) float64 { return float64(s.at().score) }

// Bounds implements [game.Bounder]: from the score to the score plus [ceiling].
func (s *State) Bounds(game.Player) (lo, hi float64) {
	p := s.at()
	return float64(p.score), float64(p.score + p.limit)
}

// Moves implements [game.State]. It lists the directions that change the board, in the order left,
// right, up, down. At a chance node, it lists the cells in order, each with a 2 before a 4.
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

// After returns the boards after each move, the gain of a move left or right, and the gain of a
// move up or down. A move that does not change the board is illegal. After does not play a move. It
// serves callers that need all successors of many positions. Later calls overwrite the results.
func (s *State) After() (boards *[4]uint64, gains *[2]int32) {
	m := s.after(s.at().board)
	return &m.to, &m.gain
}

// after returns the results of the four moves on the given board.
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
	limit := p.limit - int32(m&1)<<2 // no points were gained for the worth of a new 4
	turn := game.Player(0)
	if p.board == 0 {
		turn = game.Chance
	} else if s.empty(board) == 0 && s.stuck(board) {
		turn, limit = game.Nobody, 0
	}
	*q = position{board, p.score, limit, turn}
	s.ply++
}

// stuck reports whether no move changes a board that has no empty cells. This is the case if no two
// neighbours are equal, except for tiles of the highest exponent. Any board with both tiles and
// empty cells has a legal move.
func (r *rules) stuck(b uint64) bool {
	highest := b & (b >> 1) & (b >> 2) & (b >> 3) & r.cells
	right := b ^ b>>4 // zero if a cell equals its right neighbour
	below := b ^ b>>16
	right |= right>>1 | right>>2 | right>>3
	below |= below>>1 | below>>2 | below>>3
	return (^right&r.haveRight|^below&r.haveBelow)&^highest == 0
}

func (s *State) Undo() { game.StepBack(&s.ply, 0, "2048") }

// Rewind undoes all moves and keeps the allocated memory.
func (s *State) Rewind() { s.ply = 0 }

// Prob implements [game.Chancer]. A new tile is a 2 with probability 0.9, and each empty cell is
// equally likely.
func (s *State) Prob(m game.Move) float64 { return chances[m&1][s.Empty()&31] }

// SampleChance returns the same move as [game.Drawn], but does not create a list of moves.
func (s *State) SampleChance(u float64) game.Move {
	empty := s.empty(s.at().board)
	n := bits.OnesCount64(empty)
	u = float64(u * float64(n))
	cell := min(int(u), n-1)
	four := game.Move(0)
	if u-float64(cell) >= 0.9 {
		four = 1
	}
	// For each cell, upTo contains the number of empty cells up to and including that cell. The new
	// tile's cell comes after all cells for which this number is at most the variable cell. The
	// number of the last cell may overflow, so at most 15 cells are counted.
	const high, ones = 0x8080808080808080, 0x0101010101010101
	upTo := empty * 0x1111111111111111
	more := uint64(cell+1) * ones
	even := (upTo&(15*ones) | high) - more
	odd := (upTo>>4&(15*ones) | high) - more
	behind := 15 - bits.OnesCount64(even&high) - bits.OnesCount64(odd&(high>>8))
	return game.Move(behind)<<1 | four
}

// Largest returns the exponent of the largest tile, or 0 on an empty board.
func (s *State) Largest() (e int) {
	for b := s.at().board; b != 0; b >>= 4 {
		e = max(e, int(b&15))
	}
	return e
}

func (s *State) For() game.Player { return 0 }

// chances[0][n] is the probability that a 2 appears in a particular one of n empty cells, and
// chances[1][n] is the probability that a 4 does.
var chances = func() (table [2][32]float64) {
	for n := 1; n <= 16; n++ {
		table[0][n], table[1][n] = 0.9/float64(n), 0.1/float64(n)
	}
	return table
}()

// Hash implements [game.State]. It multiplies the board and the score and combines the two halves
// of the product.
func (s *State) Hash() uint64 {
	p := s.at()
	rest := uint64(uint32(p.score))<<8 | uint64(uint8(p.turn))
	hi, lo := bits.Mul64(p.board^0xa0761d6478bd642f, rest^0xe7037ed1a0b428db)
	hi, lo = bits.Mul64(hi^lo^p.board, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

func (s *State) Clone() game.State { return s.state(*s.at()) }
