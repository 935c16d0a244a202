package features

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"plyfit/game"
	"plyfit/models"
)

// Pattern is a tuple of cells with a weight for each filling (n-tuples: Bledsoe and Browning 1959;
// in games Lucas 2007), at several placements on the board that share the table: usually the
// board's symmetries ([Orbit]).
type Pattern struct {
	Name  string
	Cells [][]int // the placements: the cells of each, in the order of the digits
	Base  int     // a cell holds 0..Base-1
	// Symbols are what cells hold, for the names of weights; "" is 0-9a-zA-Z.
	Symbols string
	Table   bool // the weights are float32 in a file beside the model
}

// Len is the number of weights, Base to the power of the tuple's length.
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

// Block is the pattern's table. Weights are named by filling: name[digits], first cell first.
func (p Pattern) Block() Block {
	length := len(p.Cells[0])
	symbols := cmp.Or(p.Symbols, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if p.Base < 2 || p.Base > len(symbols) {
		panic(fmt.Sprintf("features: pattern %s of base %d with %d symbols", p.Name, p.Base, len(symbols)))
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

// Shape is where a pattern lies, for those who draw it.
type Shape struct {
	Name          string // of the pattern's block
	Rows, Columns int    // of the board
	// Cells are those of one placement, numbered row by row from the top, in the order
	// in which the names of weights write what they hold.
	Cells  []int
	Legend string // what the symbols in those names mean
}

// Shaper is implemented by a [Set] with patterns.
type Shaper interface {
	// Shapes are those of the patterns, in the order of their blocks.
	Shapes() []Shape
}

// Patterns are the patterns of a set, flattened for speed: every placement finds its active weight,
// at once ([Patterns.Indices]) or as cells change ([Patterns.Change]).
type Patterns struct {
	blocks     []Block
	shapes     []Shape // without a board
	placements []placement
	cells      []digit
	through    [][]power // by cell: the placements through it
}

type placement struct {
	from, to int32 // its digits among the cells
	first    int32 // its table's first feature
}

// digit is a cell of a placement with its place value. (Multiplying by place values is a quarter
// faster than Horner's rule, where each product waits for the one before.)
type digit struct{ cell, step int32 }

// power is what one more in a cell adds to a placement's index.
type power struct {
	placement int32
	step      int32
}

// NewPatterns lays the patterns on a board of cells cells; first is their first index in the set.
// It panics on a cell outside the board or a pattern with placements of different lengths.
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

// Blocks are the patterns' tables, in their order.
func (t *Patterns) Blocks() []Block { return t.blocks }

// Shapes are the patterns' places on a board numbered row by row from the top.
func (t *Patterns) Shapes(rows, columns int, legend string) []Shape {
	shapes := slices.Clone(t.shapes)
	for i := range shapes {
		shapes[i].Rows, shapes[i].Columns, shapes[i].Legend = rows, columns, legend
	}
	return shapes
}

// ShapesOn are where the patterns lie on a board of cells.
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

// Placements is how many features are active in every position.
func (t *Patterns) Placements() int { return len(t.placements) }

func (t *Patterns) index(p placement, board []uint8) int32 {
	i := p.first
	for _, d := range t.cells[p.from:p.to] {
		i += int32(board[d.cell]) * d.step
	}
	return i
}

// Indices appends the active feature of every placement. board[c] is what cell
// c holds, below the base of every pattern over it.
func (t *Patterns) Indices(board []uint8, dst []int32) []int32 {
	for _, p := range t.placements {
		dst = append(dst, t.index(p, board))
	}
	return dst
}

// Change brings indices, as Indices gave them, up to date when a cell changes.
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

// Orbit are the placements of a tuple of cells under symmetries of its board, each once, the tuple
// itself first if the identity is. Two orders of the same cells are two placements: with both a
// table need not be symmetric for the evaluation to be.
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
