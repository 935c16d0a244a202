// Package minesweeper implements minesweeper with exact probabilities.
//
// A [State] contains what the cells show. The player's move opens a cell. Nature then determines
// what it shows, with all consistent layouts of mines equally likely. count.go counts layouts.
// notation.go reads and prints positions such as 1.../12../.... .
//
// If a cell next to a zero is hidden, the only move is to open the first such cell. Other programs
// open all such cells together, but this chance event would have too many outcomes to list. With
// the option deduce, cells that are safe in every layout are handled the same way. Opening them
// costs nothing, so the only remaining decisions are guesses.
package minesweeper

import (
	"fmt"
	"slices"

	"plyfit/game"
)

// Values of a cell, in addition to the numbers 0 to 8.
const (
	Hidden int8 = -1
	Mine   int8 = 9
)

// A State is a position.
type State struct {
	*rules
	shown   []int8
	opened  int   // number of cells that show a number
	lost    bool  // whether a mine is shown
	pending int16 // cell that is about to be opened, or -1
	hash    uint64
	line    []step // steps since the first position

	count  *counter
	odds   odds     // probabilities for the pending cell
	belief *Beliefs // beliefs about the hidden cells
}

// A step contains what Undo needs. If shows is Hidden, the step is the player's choice.
type step struct {
	cell  int16
	shows int8
}

type odds struct {
	hash  uint64
	valid bool
	p     [Mine + 1]float64
}

var (
	_ game.Chancer     = (*State)(nil)
	_ game.Bounder     = (*State)(nil)
	_ game.Ranker      = (*State)(nil)
	_ game.Drawer      = (*State)(nil)
	_ game.Illustrator = (*State)(nil)
)

func (r *rules) state() *State {
	s := &State{rules: r, shown: slices.Repeat([]int8{Hidden}, r.cells), pending: -1, line: make([]step, 0, 64)}
	s.count = &counter{r: r, boxOf: make([]int16, r.cells), index: make([]int32, 256)}
	return s
}

// Of returns the minesweeper position in s, without its wrappers, or nil for other games.
func Of(s game.State) *State {
	own, _ := game.Base(s).(*State)
	return own
}

// Size returns the numbers of rows, columns and mines.
func (s *State) Size() (rows, columns, mines int) { return s.rows, s.columns, s.mines }

// Shown returns the values of the cells, row by row: [Hidden], 0 to 8, or [Mine]. The slice must
// not be modified.
func (s *State) Shown() []int8 { return s.shown }

// Left returns the number of cells that must still be opened to win.
func (s *State) Left() int { return s.cells - s.mines - s.opened }

// Opening returns the cell that nature is about to open. ok is false if it is the player's move or
// the game is over.
func (s *State) Opening() (cell int, ok bool) { return int(s.pending), s.pending >= 0 }

// SureFirst reports whether the next cell cannot be a mine because it is the first cell opened.
func (s *State) SureFirst() bool { return s.safeFirst && s.opened == 0 && !s.lost }

func (s *State) Turn() game.Player {
	switch {
	case s.lost || s.opened == s.cells-s.mines:
		return game.Nobody
	case s.pending >= 0:
		return game.Chance
	}
	return 0
}

// Moves implements [game.State]. It lists the hidden cells, or the cell that must be opened. For
// nature, it lists the values that the pending cell can show.
func (s *State) Moves(dst []game.Move) []game.Move {
	switch s.Turn() {
	case game.Chance:
		for shows, p := range s.chances() {
			if p > 0 {
				dst = append(dst, game.Move(shows))
			}
		}
	case 0:
		if c := s.forced(); c >= 0 {
			return append(dst, game.Move(c))
		}
		for cell, shows := range s.shown {
			if shows == Hidden {
				dst = append(dst, game.Move(cell))
			}
		}
	}
	return dst
}

// chances returns the probability of each value of the pending cell.
func (s *State) chances() *[Mine + 1]float64 {
	if h := s.Hash(); !s.odds.valid || s.odds.hash != h {
		s.odds.hash, s.odds.valid = h, true
		s.count.odds(s, int(s.pending), &s.odds.p)
	}
	return &s.odds.p
}

// Prob implements [game.Chancer]. It returns the fraction of the consistent layouts in which the
// pending cell shows m.
func (s *State) Prob(m game.Move) float64 { return s.chances()[m] }

func (s *State) For() game.Player { return 0 }

func (s *State) Play(m game.Move) {
	if s.pending < 0 {
		s.pending = int16(m)
		s.line = append(s.line, step{int16(m), Hidden})
		return
	}
	cell, shows := s.pending, int8(m)
	s.line = append(s.line, step{cell, shows})
	s.shown[cell] = shows
	s.hash ^= share(cell, shows)
	if shows == Mine {
		s.lost, s.pending = true, -1
		return
	}
	s.opened++
	s.pending = -1
}

// share returns one cell's part of the hash.
func share(cell int16, shows int8) uint64 { return game.Mix(uint64(cell)<<8 | uint64(uint8(shows))) }

// forced returns the cell that the player must open, or -1 if there is none. It is the first hidden
// cell next to a zero. If there is no such cell and deduce is set, it is the first cell that is
// known to be safe.
func (s *State) forced() int16 {
	first := int16(-1)
	for cell, shows := range s.shown {
		if shows != 0 {
			continue
		}
		for _, n := range s.near[cell] {
			if s.shown[n] == Hidden && (first < 0 || n < first) {
				first = n
			}
		}
	}
	if first >= 0 || !s.deduce {
		return first
	}
	for cell, p := range s.Beliefs().Mine {
		if p == 0 && s.shown[cell] == Hidden { // the probability is exactly 0 if no layout has a mine there
			return int16(cell)
		}
	}
	return -1
}

func (s *State) Undo() {
	if len(s.line) == 0 {
		panic("minesweeper: Undo at the first position")
	}
	last := s.line[len(s.line)-1]
	s.line = s.line[:len(s.line)-1]
	if last.shows == Hidden {
		s.pending = -1
		return
	}
	s.shown[last.cell] = Hidden
	s.hash ^= share(last.cell, last.shows)
	s.pending = last.cell
	if last.shows == Mine {
		s.lost = false
	} else {
		s.opened--
	}
}

// Utility implements [game.State]: 1 for a win, 0 for a loss.
func (s *State) Utility(game.Player) float64 {
	if s.lost {
		return 0
	}
	return 1
}

func (s *State) Bounds(game.Player) (lo, hi float64) {
	if s.Turn() == game.Nobody {
		u := s.Utility(0)
		return u, u
	}
	return 0, 1
}

// Rank implements [game.Ranker]. Cells are ordered by their probability of being safe. Among
// equally safe cells, those next to a number come first, because they give more information.
func (s *State) Rank(m game.Move) int32 {
	if s.pending >= 0 {
		return 0
	}
	b := s.Beliefs()
	rank := int32((1 - b.Mine[m]) * 1e6)
	if b.Frontier[m] {
		rank++
	}
	return rank
}

func (s *State) Hash() uint64 {
	if s.pending >= 0 {
		return s.hash ^ share(s.pending, Hidden)
	}
	return s.hash
}

func (s *State) Clone() game.State {
	c := s.state()
	copy(c.shown, s.shown)
	c.opened, c.lost, c.pending, c.hash = s.opened, s.lost, s.pending, s.hash
	return c
}

// Limits of the options.
const (
	maxSide  = 60
	maxShort = 20 // maximum length of the shorter side; keeps the number of open constraints in a count below 65
	maxCells = 600
)

type rules struct {
	rows, columns, mines, cells int
	safeFirst, deduce           bool
	near                        [][]int16   // neighbours of each cell
	binomial                    [][]float64 // binomial coefficients [n][k], with n up to cells
}

// New returns the game with these options:
//
//   - rows and columns: 1 to 60, with at most 20 for the shorter side and at most 600 cells;
//     default 9.
//   - mines: 1 to cells-1; default 10, or a sixth of the cells on small boards.
//   - safefirst: the cell opened first is never a mine; default off.
//   - deduce: if a cell is known to be safe, opening it is the only move; default off.
func New(o *game.Options) (*game.Game, error) {
	r := &rules{rows: o.Int("rows", 9, 1, maxSide), columns: o.Int("columns", 9, 1, maxSide)}
	r.cells = r.rows * r.columns
	if r.cells < 2 {
		o.Fail("columns", "at least two cells")
	}
	if r.cells > maxCells || min(r.rows, r.columns) > maxShort {
		o.Fail("columns", fmt.Sprintf("at most %d cells, and at most %d on the shorter side", maxCells, maxShort))
	}
	r.mines = o.Int("mines", min(10, max(1, r.cells/6)), 1, max(1, r.cells-1))
	r.safeFirst, r.deduce = o.Bool("safefirst", false), o.Bool("deduce", false)
	if err := o.Err(); err != nil {
		return nil, err
	}
	r.prepare()
	return &game.Game{
		Name:      "minesweeper",
		Spec:      o.Spec("minesweeper"),
		Doc:       "minesweeper: open all cells without a mine; rows=9, columns=9, mines=10, safefirst=off, deduce=off; moves such as r2c5",
		Players:   1,
		Sum:       game.General,
		Min:       0,
		Max:       1,
		MaxPlies:  2 * r.cells,
		New:       func() game.State { return r.state() },
		Parse:     func(text string) (game.State, error) { return r.parse(text) },
		ParseMove: game.FindMove,
	}, nil
}

func (r *rules) prepare() {
	r.near = make([][]int16, r.cells)
	for cell := range r.cells {
		row, column := cell/r.columns, cell%r.columns
		for y := max(0, row-1); y <= min(r.rows-1, row+1); y++ {
			for x := max(0, column-1); x <= min(r.columns-1, column+1); x++ {
				if n := y*r.columns + x; n != cell {
					r.near[cell] = append(r.near[cell], int16(n))
				}
			}
		}
	}
	// Pascal's triangle. The values are at most 2^600, which float64 can represent.
	r.binomial = make([][]float64, r.cells+1)
	for n := range r.binomial {
		row := make([]float64, n+1)
		row[0], row[n] = 1, 1
		for k := 1; k < n; k++ {
			row[k] = r.binomial[n-1][k-1] + r.binomial[n-1][k]
		}
		r.binomial[n] = row
	}
}

// choose returns the number of ways to choose k of n items, or 0 if k is out of range.
func (r *rules) choose(n, k int) float64 {
	if k < 0 || k > n {
		return 0
	}
	return r.binomial[n][k]
}
