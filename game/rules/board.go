package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"plyfit/game"
)

// A layout is the program's description of a board.
type layout struct {
	Rows       int      `json:"rows"`
	Columns    int      `json:"columns"`
	Symbols    string   `json:"symbols"`
	Holes      []int    `json:"holes"`
	Swap       string   `json:"swap"`
	Flip       string   `json:"flip"`
	Symmetries []string `json:"symmetries"`
}

// A board contains the cells of a game in the form in which features and pictures need them.
type board struct {
	game.Cells
	states [2][256]uint8 // state of the cell with a symbol, as each player sees it
	flip   []int         // cell c is at flip[c] from player 1's point of view
	hole   []bool
}

const (
	mostSide    = 30 // maximum number of rows and of columns
	mostSymbols = 40
)

// newBoard validates a layout. opposed reports whether swap is possible.
func newBoard(l *layout, opposed bool) (*board, error) {
	n := l.Rows * l.Columns
	unusable := func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`"',=[]\~`, c) }
	switch {
	case l.Rows < 1 || l.Columns < 1 || l.Rows > mostSide || l.Columns > mostSide:
		return nil, fmt.Errorf("board: %d rows and %d columns: want 1 to %d of each", l.Rows, l.Columns, mostSide)
	case len(l.Symbols) < 2 || len(l.Symbols) > mostSymbols || strings.ContainsFunc(l.Symbols, unusable):
		return nil, fmt.Errorf(`board: symbols %q: want 2 to %d ASCII characters other than spaces and "',=[]\~`, l.Symbols, mostSymbols)
	case l.Swap != "" && !opposed:
		return nil, errors.New("board: swap: want it only for two players and the sum zero; otherwise give cells for each player")
	case l.Swap == "" && l.Flip != "":
		return nil, errors.New("board: flip: want swap as well")
	}
	b := &board{hole: make([]bool, n), Cells: game.Cells{
		Rows: l.Rows, Columns: l.Columns, States: len(l.Symbols), Symbols: l.Symbols, Holes: l.Holes,
		Apart: opposed && l.Swap == "", Legend: fmt.Sprintf("symbols %s of the program", l.Symbols),
	}}
	if l.Swap != "" {
		b.Legend += fmt.Sprintf("; for player 1, they are exchanged for %s and the board is flipped (%q)", l.Swap, l.Flip)
	}
	for _, h := range l.Holes {
		if h < 0 || h >= n || b.hole[h] {
			return nil, fmt.Errorf("board: hole %d: want each cell from 0 to %d at most once", h, n-1)
		}
		b.hole[h] = true
	}
	for k := range len(l.Symbols) {
		swapped := strings.IndexByte(l.Swap, l.Symbols[k])
		if l.Swap == "" {
			swapped = k
		}
		if swapped < 0 || len(l.Swap) > len(l.Symbols) || (swapped == 0) != (k == 0) || strings.IndexByte(l.Symbols, l.Symbols[k]) < k {
			return nil, fmt.Errorf("board: symbols %q and swap %q: want distinct symbols, and the same ones in swap, with the empty one first", l.Symbols, l.Swap)
		}
		b.states[0][l.Symbols[k]], b.states[1][l.Symbols[k]] = uint8(k), uint8(swapped)
	}
	var err error
	if b.flip, err = b.turn(l.Flip); err == nil {
		err = b.symmetries(l.Symmetries)
	}
	return b, err
}

// turns lists the names of the first elements of the result of [game.Symmetries].
var turns = []string{"", "columns", "rows", "half", "diagonal"}

// turn returns a named turn of the board. Cell c moves to turn[c].
func (b *board) turn(name string) ([]int, error) {
	k, all := slices.Index(turns, name), game.Symmetries(b.Rows, b.Columns)
	if k < 0 || k >= len(all) {
		return nil, fmt.Errorf("board: turn %q: want columns, rows, half, or diagonal for a square board", name)
	}
	for c, hole := range b.hole {
		if hole != b.hole[all[k][c]] {
			return nil, fmt.Errorf("board: turn %q moves cell %d to a hole, or a hole to a cell", name, c)
		}
	}
	return all[k], nil
}

// symmetries sets the group that the named turns generate.
func (b *board) symmetries(names []string) error {
	b.Symmetries = game.Symmetries(b.Rows, b.Columns)[:1]
	for _, name := range names {
		t, err := b.turn(name)
		if err != nil {
			return err
		}
		for i := 0; i < len(b.Symmetries); i++ {
			product := make([]int, len(t))
			for c, to := range b.Symmetries[i] {
				product[c] = t[to]
			}
			if !slices.ContainsFunc(b.Symmetries, func(s []int) bool { return slices.Equal(s, product) }) {
				b.Symmetries = append(b.Symmetries, product)
			}
		}
	}
	return nil
}

// wrong returns a description of valid cells if the given ones are invalid, and otherwise "".
func (b *board) wrong(cells string) string {
	if len(cells) != len(b.hole) {
		return fmt.Sprintf("%d symbols, not %d", len(b.hole), len(cells))
	}
	for c := range len(cells) {
		if state := b.states[0][cells[c]]; state == 0 && cells[c] != b.Symbols[0] || state != 0 && b.hole[c] {
			return fmt.Sprintf("one of %q in cell %d, and %q in holes", b.Symbols, c, b.Symbols[:1])
		}
	}
	return ""
}

func (c celled) Cells() game.Cells { return c.s.board.Cells }

// Fill implements [game.Celled].
func (c celled) Fill(p game.Player, dst []uint8) {
	b, views := c.s.board, c.s.at().record.Cells
	side := min(p, 1)
	if len(views) > 1 {
		side, views = 0, views[p:]
	}
	for i := range len(views[0]) {
		to := i
		if side > 0 {
			to = b.flip[i]
		}
		dst[to] = b.states[side][views[0][i]]
	}
}
