package g2048

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/2048"
	"plyfit/internal/asm"
	"plyfit/models"
)

// tupleSet is the set 2048/4x6. It contains the score and four tables with a weight for every
// combination of six cells. The tuples are two straight runs of six cells (in reading order) and
// two 2x3 rectangles, in the eight symmetries of the board. The shapes are those of Yeh, Wu et al.
// ("Multi-stage temporal difference learning for 2048-like games", 2016), with 16^6 weights per
// table and 268 MB in total. The set requires 4x4 boards.
//
// Most of the time is spent on memory accesses: each position needs 32 lookups in different parts
// of the tables. The upper halves of all six exponents therefore precede the lower halves in an
// index. As long as the upper halves do not change, the index stays within a range of 4,096.
//
// newFives creates a variant with tuples of five cells.
type tupleSet struct {
	features.Outline
	cells cells
}

var (
	_ features.AfterIndexer = (*tupleSet)(nil)
	_ features.Compiler     = (*tupleSet)(nil)
)

// placements is the number of placements: four tuples in eight symmetries.
const placements = 32

var tupleNames = [4]string{"run-1", "run-2", "rectangle-1", "rectangle-2"}

func newTuples() *tupleSet {
	return newTupleSet("2048/4x6", sixCells, tupleNames, filling)
}

// newTupleSet returns a set of tables. Given the index of a weight, the function filling returns
// the contents of the cells, which determine the weight's name.
func newTupleSet(name string, c cells, tables [4]string, filling func(k int) string) *tupleSet {
	t := &tupleSet{features.Outline{Called: name, Columns: []features.Block{{Name: "score", Len: 1}}}, c}
	for _, name := range tables {
		t.Add(features.Block{Name: name, Len: int(c.len()), Table: true, Label: func(k int) string { return name + "[" + filling(k) + "]" }})
	}
	return t
}

// filling returns the contents of the six cells for a tuple's weight k, in reading order.
func filling(k int) string {
	var digits [6]byte
	for cell := range digits {
		e := k>>(2*cell)&3 | k>>(2*cell+12)&3<<2
		digits[cell] = "0123456789abcdef"[e]
	}
	return string(digits[:])
}

// tupleCells contains the cells of the four tuples in the first placement.
var tupleCells = [4][6]int{{0, 1, 2, 3, 4, 5}, {4, 5, 6, 7, 8, 9}, {0, 1, 2, 4, 5, 6}, {4, 5, 6, 8, 9, 10}}

func (t *tupleSet) Shapes() (shapes []features.Shape) {
	for k, b := range t.Columns[1:] {
		shapes = append(shapes, features.Shape{Name: b.Name, Rows: 4, Columns: 4, Cells: tupleCells[k][:t.cells], Legend: "exponents of 2: 1 is the tile 2, a is the tile 1024, 0 is an empty cell"})
	}
	return shapes
}

func (t *tupleSet) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	x = t.Dense(s, p, x)
	var at [placements]int32
	t.cells.fill(s.(*board.State).Board(), &at)
	for _, i := range at {
		x = append(x, models.Term{Index: 1 + i, Value: 1})
	}
	return x
}

func (t *tupleSet) Placements() int { return placements }

func (t *tupleSet) Indices(s game.State, _ game.Player, dst []int32) {
	t.cells.fill(s.(*board.State).Board(), (*[placements]int32)(dst))
}

func (t *tupleSet) After(s game.State, m *models.Linear, to *features.Afters) {
	st := s.(*board.State)
	all, gains := st.After()
	if cap(to.Moves) < len(all) {
		const most = len(all)
		*to = features.Afters{Moves: make([]game.Move, most), Rest: make([]float64, most), At: make([]int32, most*placements)}
	}
	moves, rest, n := to.Moves[:len(all)], to.Rest[:len(all)], 0
	var boards [len(all)]uint64
	present, score := st.Board(), st.Score(0)
	var rests [len(gains)]float64
	for axis, gain := range gains {
		rests[axis] = float64(m.Weights[0]*float64(float32(score+float64(gain)))) + m.Bias
	}
	for k, b := range all { // each move is written, but kept only if it changes the board
		moves[n], boards[n], rest[n] = game.Move(k), b, rests[k>>1]
		if b != present {
			n++
		}
	}
	to.Moves, to.Rest, to.At = moves[:n], rest[:n], to.At[:n*placements]
	tuples[t.cells].Places(boards[:n], to.At)
	asm.Prefetch(m.Table, to.At)
}

// Dense implements [features.TupleIndexer]. It appends the score.
func (t *tupleSet) Dense(s game.State, _ game.Player, x models.Vector) models.Vector {
	return append(x, models.Term{Index: 0, Value: float32(s.(*board.State).Score(0))})
}

// Compile implements [features.Compiler]. The result uses the tables directly, without a vector.
func (t *tupleSet) Compile(_ *game.Game, m *models.Linear) features.Compiled {
	return &lookup{cells: t.cells, table: m.Table, score: m.Weights[0], bias: m.Bias}
}

type lookup struct {
	cells       cells
	table       []float32
	score, bias float64
	at          [placements]int32
}

func (l *lookup) Sum(s game.State, _ game.Player) float64 {
	b := s.(*board.State)
	l.cells.fill(b.Board(), &l.at)
	var x, y float64
	for i := 0; i < placements; i += 2 {
		x += float64(l.table[l.at[i]])
		y += float64(l.table[l.at[i+1]])
	}
	return l.bias + float64(l.score*float64(float32(b.Score(0)))) + (x + y)
}

// cells is the number of cells of a tuple.
type cells int

const (
	sixCells  cells = 6
	fiveCells cells = 5
)

// len returns the number of weights of a tuple.
func (c cells) len() int32 { return 1 << (4 * c) }

// tuples contains the functions that compute placements, by number of cells.
var tuples = [...]*asm.Tuples{fiveCells: asm.NewTuples(5), sixCells: asm.NewTuples(6)}

// fill computes the active weights of all placements.
func (c cells) fill(b uint64, at *[placements]int32) { tuples[c].Places([]uint64{b}, at[:]) }

// newFives returns the set 2048/4x5. It contains the score and the tuples of 2048/4x6 without their
// last cells. These are two rows with the first cell of the next row, and two 2x3 rectangles
// without a corner. The tables of 16^5 weights take 17 MB in total instead of 268 MB and fit into a
// processor's cache.
func newFives() *tupleSet {
	five := func(k int) string { return filling(k&0x3ff | k<<2&0x3ff000)[:5] }
	return newTupleSet("2048/4x5", fiveCells, [4]string{"hook-1", "hook-2", "square-1", "square-2"}, five)
}
