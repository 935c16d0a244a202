// Package connect4 implements connect four on boards of up to 64 bits, with an optional die.
//
// A position is a [State]. Games in which an earlier win is worth more use the type distance, and
// games in which a die forbids a column before each move use [Dice]. [Of] returns the board of any
// of them.
package connect4

import (
	"math/bits"

	"plyfit/game"
)

// A State is a position with all earlier positions, so that Undo only has to go back one step.
type State struct {
	*rules
	ply  int // number of stones on the board
	root int // ply of the first position, below which Undo panics
	line [64]position

	// Cached threats for Rank, which is called several times for each position.
	rankKey     uint64
	rankThreats uint64
}

// A position is a board from the point of view of the player to move.
type position struct {
	own, all uint64 // stones of the mover, and stones of both players
	end      ending
}

type ending int8

const (
	open ending = iota
	lost        // for the player who would move next
	full
)

var (
	_ game.Ranker         = (*State)(nil)
	_ game.MoveClassifier = (*State)(nil)
	_ game.Drawer         = (*State)(nil)
	_ game.Illustrator    = (*State)(nil)
	_ game.Celled         = (*State)(nil)
	_ game.Solvable       = (*State)(nil)
)

// Of returns the board of any kind of connect-four position, or nil for other states. No moves may
// be played on it.
func Of(s game.State) *State {
	switch s := s.(type) {
	case *State:
		return s
	case *distance:
		return &s.State
	case *Dice:
		return &s.State
	}
	return nil
}

func (s *State) at() *position { return &s.line[s.ply&63] }

// Turn implements [game.State]. The first player is player 0.
func (s *State) Turn() game.Player {
	if s.line[s.ply&63].end != open {
		return game.Nobody
	}
	return game.Player(s.ply & 1)
}

// Moves implements [game.State]: the columns that are not full, from left to right.
func (s *State) Moves(dst []game.Move) []game.Move {
	p := s.at()
	if p.end != open {
		return dst
	}
	if p.all&s.tops == 0 {
		return append(dst, s.every[:s.columns]...)
	}
	// Each column is written to dst, but is kept only if it is not full. This avoids mispredicted
	// branches.
	n := len(dst)
	for cap(dst) < n+s.columns {
		dst = append(dst[:cap(dst)], 0)
	}
	out := dst[n : n+s.columns]
	k := 0
	for c := range out {
		out[k] = game.Move(c)
		if p.all&s.top[c&15] == 0 {
			k++
		}
	}
	return dst[:n+k]
}

// ClassifyMoves implements [game.MoveClassifier]. Instead of playing each move, it computes all the
// cells that complete four in a row in one step.
func (s *State) ClassifyMoves(dst []game.Move) (moves []game.Move, over, chance uint64) {
	p := s.at()
	from := len(dst)
	if p.all&s.tops == 0 && p.end == open {
		dst = append(dst, s.every[:s.columns]...)
	} else {
		dst = s.Moves(dst)
	}
	var ends uint64
	switch {
	case s.ply+1 == s.cells: // any move fills the board
		ends = s.board
	case s.standard:
		ends = fours7x6(p.own)
	default:
		ends = s.fours(p.own)
	}
	if ends &= (p.all + s.floor) &^ p.all; ends != 0 {
		for i, m := range dst[from:] {
			if ends&s.column[m&15] != 0 {
				over |= 1 << i
			}
		}
	}
	return dst, over, 0
}

// Play implements [game.State]. It drops a stone into column m.
func (s *State) Play(m game.Move) {
	p := &s.line[s.ply&63]
	s.ply++
	q := &s.line[s.ply&63]
	all := p.all
	other := p.own ^ all
	q.own = other
	end := open
	if s.standard { // constant shifts save a third of the time
		all |= all + 1<<(m*7&63)
		if won7x6(other ^ all) {
			end = lost
		} else if all == board7x6 {
			end = full
		}
	} else {
		all |= all + s.bottom[m&15]
		stones, h := other^all, s.height
		if inLine(stones, 1) || inLine(stones, h-1) || inLine(stones, h) || inLine(stones, h+1) {
			end = lost
		} else if all == s.board {
			end = full
		}
	}
	q.all, q.end = all, end
}

func (s *State) Undo() { game.StepBack(&s.ply, s.root, "connect4") }

// Utility implements [game.State]: 1, 0 or -1, or a value that depends on the number of stones.
func (s *State) Utility(p game.Player) float64 {
	if s.at().end != lost {
		return 0
	}
	u := 1.0
	if s.distance {
		u = float64(s.worth((s.ply + 1) / 2))
	}
	if int(p) == s.ply&1 {
		return -u
	}
	return u
}

// Hash implements [game.State]. The sum own+all is unique to each position (Pascal Pons) and does
// not depend on the order of the moves.
func (s *State) Hash() uint64 {
	p := s.at()
	hi, lo := bits.Mul64((p.own+p.all)^0x2d358dccaa6c78a5, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

func (s *State) Clone() game.State {
	c := *s
	c.root = c.ply
	return &c
}

// MoveString implements [game.State]: the column, counted from 1.
func (s *State) MoveString(m game.Move) string { return columnNames[m : m+1] }

// Rank implements [game.Ranker]. Wins come first, followed by blocks, and then by the moves that
// leave the most winning cells for the mover. Among equal moves, central columns come first. Moves
// below one of the opponent's winning cells come last. Threats are counted with Pascal Pons'
// method.
func (s *State) Rank(m game.Move) int32 {
	p := s.at()
	if key := p.own + p.all; key != s.rankKey {
		s.rankKey, s.rankThreats = key, s.fours(p.own^p.all)&^p.all
	}
	c := m & 15
	cell := (p.all + s.bottom[c]) & s.column[c]
	own := p.own | cell
	switch {
	case s.won(own):
		return 1 << 20
	case s.rankThreats&cell != 0:
		return 1 << 19
	}
	rank := int32(bits.OnesCount64(s.fours(own)&^p.all&^cell))<<8 + int32(s.centre[c])
	if s.rankThreats&(cell<<1) != 0 {
		rank -= 1 << 18
	}
	return rank
}

// Columns returns the width of the board.
func (s *State) Columns() int { return s.columns }

// Rows returns the height of the board.
func (s *State) Rows() int { return s.rows }

// Plies returns the number of stones on the board.
func (s *State) Plies() int { return s.ply }

// Stones returns the stones of each player. Bit column*(rows+1)+row is the cell in that column and
// row, counted from the bottom left.
func (s *State) Stones() (first, second uint64) {
	p := s.at()
	if s.ply&1 == 0 {
		return p.own, p.own ^ p.all
	}
	return p.own ^ p.all, p.own
}

// Fours returns the empty cells that complete four in a row with the given stones.
func (s *State) Fours(stones uint64) uint64 { return s.fours(stones) &^ s.at().all }

// Playable returns the cells into which a stone can be dropped now.
func (s *State) Playable() uint64 { return (s.at().all + s.floor) & s.board }

// Board returns the set of all cells.
func (s *State) Board() uint64 { return s.board }

// Column returns the cells of column c, counted from 0.
func (s *State) Column(c int) uint64 { return s.column[c] }
