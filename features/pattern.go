package features

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"plyfit/game"
	"plyfit/models"
)

// A Pattern is a tuple of cells with a weight for each combination of contents (n-tuples: Bledsoe
// and Browning 1959; in games Lucas 2007). Several placements on the board share the table of
// weights. Usually, the placements are the images under the symmetries of the board ([Orbit]).
type Pattern struct {
	Name  string
	Cells [][]int // cells of each placement, in the order of the digits
	Base  int     // number of states of a cell
	// Symbols contains a symbol for each state of a cell, used in the names of weights; "" means
	// 0-9a-zA-Z.
	Symbols string
	Table   bool // whether the weights are stored as float32 in a separate file
}

// Len returns the number of weights, which is Base to the power of the length of the tuple.
func (p Pattern) Len() int {
	n := 1
	for range p.Cells[0] {
		if n > math.MaxInt32/p.Base {
			panic("features: pattern " + p.Name + " has more than 2^31-1 weights")
		}
		n *= p.Base
	}
	return n
}

// Block returns the pattern's table. The name of a weight is name[digits], with the first cell's
// digit first.
func (p Pattern) Block() Block {
	length := len(p.Cells[0])
	symbols := cmp.Or(p.Symbols, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if p.Base < 2 || p.Base > len(symbols) {
		panic(fmt.Sprintf("features: pattern %s has base %d but %d symbols", p.Name, p.Base, len(symbols)))
	}
	return Block{Name: p.Name, Len: p.Len(), Table: p.Table, Label: func(i int) string {
		digits := make([]byte, length)
		for k := length - 1; k >= 0; k-- {
			digits[k] = symbols[i%p.Base]
			i /= p.Base
		}
		return p.Name + "[" + string(digits) + "]"
	}}
}

// A Shape describes the place of a pattern on the board, for drawings.
type Shape struct {
	Name          string // name of the pattern's block
	Rows, Columns int    // size of the board in cells
	// Cells contains the cells of one placement, numbered row by row from the top. They are in the
	// order of the symbols in the names of weights.
	Cells  []int
	Legend string // meaning of the symbols
}

// Shaper is implemented by a [Set] with patterns.
type Shaper interface {
	// Shapes returns the shapes of the patterns, in the order of their blocks.
	Shapes() []Shape
}

// Patterns contains a set's patterns in a form that allows fast lookups. It computes the active
// weight of each placement, either from scratch ([Patterns.Indices]) or when cells change
// ([Patterns.Change]).
type Patterns struct {
	blocks     []Block
	shapes     []Shape // shapes without the size of the board
	placements []placement
	cells      []digit
	through    [][]power // for each cell, the placements that contain it
}

type placement struct {
	from, to int32 // range of the placement's digits in cells
	first    int32 // first feature of the placement's table
}

// A digit is a cell of a placement with its place value. (Multiplying by place values is a quarter
// faster than Horner's rule, in which each product depends on the previous one.)
type digit struct{ cell, step int32 }

// A power is the amount by which a placement's index changes if the value of one of its cells
// increases by one.
type power struct {
	placement int32
	step      int32
}

// NewPatterns returns the patterns on a board with the given number of cells. first is the index of
// their first feature in the set. NewPatterns panics if a cell is outside the board, or if the
// placements of a pattern have different lengths.
func NewPatterns(first, cells int, patterns ...Pattern) *Patterns {
	t := &Patterns{through: make([][]power, cells)}
	for _, p := range patterns {
		t.blocks = append(t.blocks, p.Block())
		t.shapes = append(t.shapes, Shape{Name: p.Name, Cells: p.Cells[0]})
		for _, tuple := range p.Cells {
			if len(tuple) != len(p.Cells[0]) {
				panic("features: pattern " + p.Name + " has placements of different lengths")
			}
			from := int32(len(t.cells))
			step := int32(p.Len())
			for _, c := range tuple {
				step /= int32(p.Base)
				t.cells = append(t.cells, digit{int32(c), step})
				t.through[c] = append(t.through[c], power{int32(len(t.placements)), step})
			}
			t.placements = append(t.placements, placement{from, int32(len(t.cells)), int32(first)})
		}
		first += p.Len()
	}
	return t
}

// Blocks returns the tables of the patterns, in order.
func (t *Patterns) Blocks() []Block { return t.blocks }

// Shapes returns the shapes of the patterns on a board whose cells are numbered row by row from the
// top.
func (t *Patterns) Shapes(rows, columns int, legend string) []Shape {
	shapes := slices.Clone(t.shapes)
	for i := range shapes {
		shapes[i].Rows, shapes[i].Columns, shapes[i].Legend = rows, columns, legend
	}
	return shapes
}

// ShapesOn returns the shapes of the patterns on a board described by c.
func (t *Patterns) ShapesOn(c *game.Cells) []Shape {
	shapes := t.Shapes(c.Rows, c.Columns, c.Legend)
	for i := range shapes {
		cells := slices.Clone(shapes[i].Cells)
		for k, at := range cells {
			if c.Upward {
				cells[k] = (c.Rows-1-at/c.Columns)*c.Columns + at%c.Columns
			}
		}
		shapes[i].Cells = cells
	}
	return shapes
}

// Placements returns the number of features that are active in each position.
func (t *Patterns) Placements() int { return len(t.placements) }

func (t *Patterns) index(p placement, board []uint8) int32 {
	i := p.first
	for _, d := range t.cells[p.from:p.to] {
		i += int32(board[d.cell]) * d.step
	}
	return i
}

// Indices appends the active feature of each placement. board[c] is the content of cell c, which
// must be less than the base of every pattern that contains the cell.
func (t *Patterns) Indices(board []uint8, dst []int32) []int32 {
	for _, p := range t.placements {
		dst = append(dst, t.index(p, board))
	}
	return dst
}

// Change updates indices, as returned by Indices, after the content of a cell has changed.
func (t *Patterns) Change(indices []int32, cell int, from, to uint8) {
	d := int32(to) - int32(from)
	for _, p := range t.through[cell] {
		indices[p.placement] += d * p.step
	}
}

// Extract appends the active features, each with the value 1.
func (t *Patterns) Extract(board []uint8, x models.Vector) models.Vector {
	for _, p := range t.placements {
		x = append(x, models.Term{Index: t.index(p, board), Value: 1})
	}
	return x
}

// Orbit returns the images of a tuple of cells under the given symmetries, without duplicates. If
// the first symmetry is the identity, the tuple itself comes first. The same cells in a different
// order are a different placement. Including both orders makes the evaluation symmetric even if the
// table is not.
func Orbit(cells []int, symmetries [][]int) [][]int {
	var all [][]int
	for _, s := range symmetries {
		image := make([]int, len(cells))
		for i, c := range cells {
			image[i] = s[c]
		}
		if !slices.ContainsFunc(all, func(o []int) bool { return slices.Equal(o, image) }) {
			all = append(all, image)
		}
	}
	return all
}
