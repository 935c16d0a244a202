package game

// Celled is implemented by a State whose board is cells, each holding one of a few things. Tables
// are derived from it (package features/tuples), so that a game can be learned without hand-written
// features.
//
// Example: in tic-tac-toe at "XO..X.... O" the cells are 2 1 0 0 2 0 0 0 0 as player 1 sees them,
// who has O: 0 is an empty cell, 1 a mark of his own, 2 one of the other's.
type Celled interface {
	// Cells is what the board is like: the same at all positions of a game.
	Cells() Cells
	// Fill writes into dst each cell's content in the view of player p, row by row, then what is
	// next to the board. Where the players face each other, each sees the board from his own side.
	// Hidden cells hold what p sees.
	Fill(p Player, dst []uint8)
}

// Cells is what a board of cells is like.
type Cells struct {
	Rows, Columns int
	Upward        bool // the first row is the lowest, as people draw the board

	States  int    // a cell holds 0 to States-1, of which 0 is nothing
	Symbols string // one for each state, for the names of weights; "": 0-9a-zA-Z
	Legend  string // what the symbols mean

	// Holes are cells of the rectangle that are no part of the board: the light squares
	// of checkers. They hold nothing.
	Holes []int

	// Symmetries are those of the rules in every player's view, the identity first: cell c goes to
	// Symmetries[k][c] ([Symmetries] are those of a rectangle). None: the identity alone.
	Symmetries [][]int

	// Apart says that the same cells are worth one thing to who moves first and another
	// to the others: in connect four the rows are odd or even to a player.
	Apart bool

	// Beside are cells after the board's, by how many things each may hold: what no cell of the
	// board shows and everything depends on, in go whether the other has passed.
	Beside []int
}

// Len is how many cells Fill writes.
func (c *Cells) Len() int { return c.Rows*c.Columns + len(c.Beside) }

// Symmetries are the symmetries of a board of rows and columns whose cells are numbered row by row:
// cell c goes to Symmetries[k][c]. First the identity, then mirrored left to right, top to bottom,
// and both; on a square board the same four of the transposed board follow.
func Symmetries(rows, columns int) [][]int {
	kinds := 4
	if rows == columns {
		kinds = 8
	}
	all := make([][]int, kinds)
	for k := range all {
		for r := range rows {
			for c := range columns {
				y, x := r, c
				if k >= 4 {
					y, x = x, y
				}
				if k&1 != 0 {
					x = columns - 1 - x
				}
				if k&2 != 0 {
					y = rows - 1 - y
				}
				all[k] = append(all[k], y*columns+x)
			}
		}
	}
	return all
}
