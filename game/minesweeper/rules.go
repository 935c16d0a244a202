// Package minesweeper is the solitary game of minesweeper, played with exact probabilities.
//
// The journey: [New] reads rows, columns, mines, safefirst and deduce; a [State] is what the cells
// show; opening a cell is the player's move, and what it shows is nature's, with every fitting
// layout of mines equally likely. While a cell next to a zero is hidden, opening the first such
// cell is the only move: the usual program opens them all at once, but as one chance event that
// would have too many outcomes to list. With deduce the same holds of cells that are safe in every
// layout: opening them costs nothing, so only guesses are left to decide. count.go counts layouts;
// notation.go reads and prints positions like 1.../12../.... .
package minesweeper

import (
	"fmt"

	"plyfit/game"
)

// Limits of the options.
const (
	maxSide  = 60
	maxShort = 20 // of the shorter side: keeps a count's open constraints within 64
	maxCells = 600
)

type rules struct {
	rows, columns, mines, cells int
	safeFirst, deduce           bool
	near                        [][]int16   // the neighbours of each cell
	binomial                    [][]float64 // [n][k], n up to cells
}

// New is the game that o describes: rows and columns (1 to 60, the shorter side 20 at most, 600
// cells at most; default 9), mines (1 to cells-1; default 10, on small boards a sixth of the
// cells), safefirst (the cell opened first is never a mine; default off) and deduce (while a cell
// is known to be safe, it is the only move; default off).
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
		Doc:       "minesweeper: open all cells without a mine; rows=9, columns=9, mines=10, safefirst=off, deduce=off; moves like r2c5",
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
	// Pascal's triangle: at most 2^600, well inside a float64.
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

// choose is the number of ways to choose k of n, 0 where k is out of range.
func (r *rules) choose(n, k int) float64 {
	if k < 0 || k > n {
		return 0
	}
	return r.binomial[n][k]
}
