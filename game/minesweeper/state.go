package minesweeper

import (
	"plyfit/game"
	"slices"
)

// What a cell shows: 0 to 8, or one of these.
const (
	Hidden int8 = -1
	Mine   int8 = 9
)

// State is a position.
type State struct {
	*rules
	shown   []int8
	opened  int   // cells that show a number
	lost    bool  // a mine is shown
	pending int16 // the cell that was chosen and is about to be opened; -1: none
	hash    uint64
	line    []step // since the first position

	count  *counter
	odds   odds     // of the pending cell
	belief *Beliefs // of the hidden cells
}

// step is what Undo must know: a choice where shows is Hidden.
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

// Of is the position inside s, or nil where s is none of minesweeper.
func Of(s game.State) *State {
	own, _ := game.Base(s).(*State)
	return own
}

// Size is the number of rows, columns and mines.
func (s *State) Size() (rows, columns, mines int) { return s.rows, s.columns, s.mines }

// Shown is what each cell shows, row by row: [Hidden], 0 to 8, [Mine]. It is not to be changed.
func (s *State) Shown() []int8 { return s.shown }

// Left is the number of cells still to be opened to win.
func (s *State) Left() int { return s.cells - s.mines - s.opened }

// Opening is the cell that nature is about to open; ok is false where it is not.
func (s *State) Opening() (cell int, ok bool) { return int(s.pending), s.pending >= 0 }

// SureFirst reports whether the next cell cannot be a mine because it is the first.
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

// Moves implements [game.State]: the hidden cells, or the one that is forced;
// nature's, what the pending one can show.
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

// chances are the probabilities of what the pending cell shows.
func (s *State) chances() *[Mine + 1]float64 {
	if h := s.Hash(); !s.odds.valid || s.odds.hash != h {
		s.odds.hash, s.odds.valid = h, true
		s.count.odds(s, int(s.pending), &s.odds.p)
	}
	return &s.odds.p
}

// Prob implements [game.Chancer]: the share of the layouts that fit what is
// shown in which the pending cell shows m.
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

// share is the share of one cell in the hash.
func share(cell int16, shows int8) uint64 { return game.Mix(uint64(cell)<<8 | uint64(uint8(shows))) }

// forced is the first hidden cell next to a zero or else, with deduce, the first known to be safe:
// the player must open it. It is -1 where there is none.
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
		if p == 0 && s.shown[cell] == Hidden { // what no layout has comes out as 0 exactly
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

// Rank implements [game.Ranker]: safe cells first, then by how likely they are
// to be; of equals those that are next to a number, which say more.
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
