package gametest

import (
	"slices"

	"plyfit/game"
)

// filled returns the contents of the cells of s from p's point of view.
func filled(s game.State, p game.Player) []uint8 {
	c, _ := game.As[game.Celled](s)
	cells := c.Cells()
	dst := slices.Repeat([]uint8{unwritten}, cells.Len())
	c.Fill(p, dst)
	return dst
}

const (
	unwritten  = 255 // value of a cell that Fill has not written
	mostStates = 62  // number of states for which there are default symbols
)

// fills checks the cells of a position. Each cell must contain a valid state. Printing and parsing
// the position must not change its cells.
func (j *checker) fills(s, parsed game.State, at snapshot) {
	c, ok := game.As[game.Celled](s)
	if !ok {
		return
	}
	cells := c.Cells()
	for p := range game.Player(game.ShapeOf(j.g, s).Players) {
		board := filled(s, p)
		for i, what := range board {
			states := cells.States
			if beside := i - cells.Rows*cells.Columns; beside >= 0 {
				states = cells.Extra[beside]
			}
			if int(what) >= states {
				j.errorf("%q: cell %d contains %d from the point of view of player %d; want less than %d", s, i, what, p, states)
			}
		}
		for _, hole := range cells.Holes {
			if board[hole] != 0 {
				j.errorf("%q: hole %d holds %d", s, hole, board[hole])
			}
		}
		if again := filled(parsed, p); !slices.Equal(board, again) {
			j.errorf("%q: the cells are %v, but %v after parsing, from the point of view of player %d", s, board, again, p)
		}
	}
	j.same("with cells filled", s, at)
}

// celled checks the description of the board. It tests each symmetry that maps the initial position
// to itself. Such a symmetry must map every sequence of two plies to a possible sequence.
func (j *checker) celled() {
	s := j.g.New()
	c, ok := game.As[game.Celled](s)
	if !ok {
		return
	}
	cells := c.Cells()
	board := cells.Rows * cells.Columns
	if board < 1 || cells.States < 2 || cells.States > mostStates || slices.ContainsFunc(cells.Extra, func(n int) bool { return n < 1 || n > unwritten }) ||
		cells.Symbols != "" && len(cells.Symbols) != cells.States {
		j.errorf("cells %+v: want rows, columns, 2 to %d states, and either no symbols or a symbol for each state", cells, mostStates)
		return
	}
	lines := linesOf(s, c, cells.Len(), func(what []uint8) []uint8 { return what })
	for k, symmetry := range cells.Symmetries {
		image := slices.Sorted(slices.Values(symmetry))
		for i := range image {
			if len(image) != board || image[i] != i || k == 0 && symmetry[i] != i {
				j.errorf("symmetry %d is %v: want each of %d cells once, and the identity first", k, symmetry, board)
				return
			}
		}
		for _, hole := range cells.Holes {
			if !slices.Contains(cells.Holes, symmetry[hole]) {
				j.errorf("symmetry %d maps hole %d to a cell", k, hole)
			}
		}
		turned := func(what []uint8) []uint8 {
			out := slices.Clone(what)
			for i := range board {
				out[symmetry[i]] = what[i]
			}
			return out
		}
		if first := filled(s, 0); !slices.Equal(turned(first), first) {
			continue
		}
		if !slices.Equal(lines, linesOf(s, c, cells.Len(), turned)) {
			j.errorf("symmetry %d is not a symmetry of the rules: some positions after two plies have no image", k)
		}
	}
}

// linesOf returns all sequences of the first two plies, sorted. Each sequence consists of the cells
// after each ply, transformed by the function seen.
func linesOf(s game.State, c game.Celled, cells int, seen func(what []uint8) []uint8) (lines []string) {
	what := make([]uint8, cells)
	for _, m := range s.Moves(nil) {
		s.Play(m)
		c.Fill(0, what)
		before := string(seen(what))
		for _, reply := range s.Moves(nil) {
			s.Play(reply)
			c.Fill(0, what)
			lines = append(lines, before+string(seen(what)))
			s.Undo()
		}
		s.Undo()
	}
	slices.Sort(lines)
	return lines
}
