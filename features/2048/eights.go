package g2048

import (
	"slices"

	board "plyfit/game/2048"

	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/asm"
	"plyfit/models"
)

// eightTuples is the set 2048/8x6: the score, and eight tables with a weight for every
// filling of six cells, laid on the board in its eight symmetries. The shapes are
// those with which Guei, Chen and Wu reach the best scores known of tables
// ("Optimistic temporal difference learning for 2048", IEEE Transactions on Games
// 14, 2022). They take 512 MB together, and three times that while they are
// learned with a step size for each weight. It is for boards of 4x4.
type eightTuples struct{ tupleSet }

var (
	_ features.AfterIndexer = (*eightTuples)(nil)
	_ features.Shaper       = (*eightTuples)(nil)
	_ features.Compiler     = (*eightTuples)(nil)
)

// eightPlacements are eight tuples in eight symmetries.
const eightPlacements = 64

// eightCells are the cells of the eight tuples as they lie on the board as it is;
// eightNames name them by those cells.
var (
	eightCells = [8][]int{
		{0, 1, 2, 4, 5, 6}, {4, 5, 6, 7, 8, 9}, {0, 1, 2, 3, 4, 5}, {2, 3, 4, 5, 6, 9},
		{0, 1, 2, 5, 9, 10}, {3, 4, 5, 6, 7, 8}, {1, 3, 4, 5, 6, 7}, {0, 1, 4, 8, 9, 10},
	}
	eightNames = [8]string{"012456", "456789", "012345", "234569", "01259a", "345678", "134567", "01489a"}
)

// newEights makes the set.
func newEights() *eightTuples {
	t := &eightTuples{tupleSet{name: "2048/8x6", blocks: []features.Block{{Name: "score", Len: 1}}}}
	for _, cells := range eightNames {
		name := "cells-" + cells
		t.blocks = append(t.blocks, features.Block{Name: name, Len: tupleLen, Table: true, Label: func(k int) string {
			return name + "[" + filling(k) + "]"
		}})
	}
	return t
}

// Shapes implements [features.Shaper].
func (t *eightTuples) Shapes() (shapes []features.Shape) {
	for k, b := range t.blocks[1:] {
		shapes = append(shapes, shape(b.Name, slices.Clone(eightCells[k])))
	}
	return shapes
}

// Extract implements [features.Set].
func (t *eightTuples) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	x = t.Dense(s, p, x)
	var at [eightPlacements]int32
	fillEights(s.(*board.State).Board(), &at)
	for _, i := range at {
		x = append(x, models.Term{Index: 1 + i, Value: 1})
	}
	return x
}

// Placements implements [features.TupleIndexer].
func (t *eightTuples) Placements() int { return eightPlacements }

// Indices implements [features.TupleIndexer].
func (t *eightTuples) Indices(s game.State, _ game.Player, dst []int32) {
	fillEights(s.(*board.State).Board(), (*[eightPlacements]int32)(dst))
}

// After implements [features.AfterIndexer].
func (t *eightTuples) After(s game.State, moves []game.Move, dense models.Vector, at []int32) ([]game.Move, models.Vector, []int32) {
	return after(s.(*board.State), moves, dense, at, eightPlacements, func(b uint64, at []int32) {
		fillEights(b, (*[eightPlacements]int32)(at))
	})
}

// Compile implements [features.Compiler]: the tables as they are.
func (t *eightTuples) Compile(_ *game.Game, m *models.Linear) features.Compiled {
	return &eightsLookup{table: m.Table, score: m.Weights[0], bias: m.Bias}
}

type eightsLookup struct {
	table       []float32
	score, bias float64
	at          [eightPlacements]int32
}

// Sum implements [features.Compiled].
func (l *eightsLookup) Sum(s game.State, _ game.Player) float64 {
	b := s.(*board.State)
	fillEights(b.Board(), &l.at)
	var x, y float64
	for i := 0; i < eightPlacements; i += 2 {
		x += float64(l.table[l.at[i]])
		y += float64(l.table[l.at[i+1]])
	}
	return l.bias + float64(l.score*float64(float32(b.Score(0)))) + (x + y)
}

// fillEights finds the weights of all placements: eight boards, eight look-ups in
// each.
func fillEights(b uint64, at *[eightPlacements]int32) {
	h := asm.Halves(b)
	for k := range 2 {
		images := at[32*k : 32*k+32]
		eights(h, (*[8]int32)(images[0:]))
		eights(asm.Mirrored(h), (*[8]int32)(images[8:]))
		f := asm.Upended(h)
		eights(f, (*[8]int32)(images[16:]))
		eights(asm.Mirrored(f), (*[8]int32)(images[24:]))
		h = asm.Transposed(h)
	}
}

// eights finds the weights of the eight tuples as they lie on h. Each brings its six
// cells to the beginning of both halves, in reading order: cell c stands at bits 2c
// and 2c+1 of a half, its place in the tuple, k, at bits 2k and 2k+1.
func eights(h uint64, at *[8]int32) {
	at[0] = asm.Place(asm.Rectangle(h))
	at[1] = asm.Place(h>>8&0x00ffffff00ffffff) | tupleLen
	at[2] = asm.Place(h) | 2*tupleLen
	at[3] = asm.Place(h>>4&0x000003ff000003ff|h>>8&0x00000c0000000c00) | 3*tupleLen
	at[4] = asm.Place(h&0x0000003f0000003f|h>>4&0x000000c0000000c0|h>>10&0x00000f0000000f00) | 4*tupleLen
	at[5] = asm.Place(h>>6&0x00000fff00000fff) | 5*tupleLen
	at[6] = asm.Place(h>>2&0x0000000300000003|h>>4&0x00000ffc00000ffc) | 6*tupleLen
	at[7] = asm.Place(h&0x0000000f0000000f|h>>4&0x0000003000000030|h>>10&0x00000fc000000fc0) | 7*tupleLen
}
