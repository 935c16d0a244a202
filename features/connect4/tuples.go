package connect4

import (
	"fmt"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/connect4"
	"plyfit/models"
)

// tuples is either the set connect4/tuples, which contains tables of tuples, or connect4/full, in
// which the terms precede the tables.
type tuples struct {
	features.Outline
	terms *shape // nil if the set has no terms
	cells game.Cells
	sides [2]*features.Patterns // patterns for each player to move
}

var _ features.TupleIndexer = (*placer)(nil)

// Dimensions of the tuples.
const (
	walks   = 35 // number of tuples, not counting their mirror images
	walkLen = 8  // number of cells in a tuple
	tupleRows,
	tupleColumns = 6, 7
)

// newTuples returns the set connect4/tuples for the standard board without a die. It has a weight
// for each possible content of 35 eight-cell tuples and their mirror images, with separate tables
// for each player. The tuples are fixed random walks in which each cell is one of the eight
// neighbours of the previous cell. Empty cells are encoded as playable or not playable (Thill, Koch
// and Konen, "Reinforcement learning with n-tuples on the game Connect-4", PPSN 2012, with 70
// tuples).
func newTuples(b *board.State) features.Set {
	return &placer{*newTables("connect4/tuples", b, nil)}
}

func newTables(name string, b *board.State, terms *shape) *tuples {
	t := &tuples{Outline: features.Outline{Called: name, Seen: view}, terms: terms, cells: b.Cells()}
	if terms != nil {
		for _, term := range features.Fields[values](values{}) {
			t.Add(features.Block{Name: term.Name, Group: term.Group, Len: 1})
		}
	}
	for side, name := range [2]string{"first", "second"} {
		patterns := make([]features.Pattern, walks)
		for i, cells := range randomWalks() {
			patterns[i] = features.Pattern{
				Name: fmt.Sprintf("%s-%02d", name, i+1), Cells: features.Orbit(cells, t.cells.Symmetries), Base: t.cells.States, Symbols: t.cells.Symbols, Table: true,
			}
		}
		t.sides[side] = features.NewPatterns(int(t.Add()), tupleRows*tupleColumns, patterns...)
		t.Add(t.sides[side].Blocks()...)
	}
	return t
}

// randomWalks returns the tuples. Each tuple consists of different cells, and each cell is a
// neighbour of the previous one.
func randomWalks() [][]int {
	seed := uint64(0)
	draw := func(n int) int { seed++; return int(game.Mix(seed) % uint64(n)) }
	var all [][]int
	for len(all) < walks {
		walk := []int{draw(tupleRows * tupleColumns)}
		visited := uint64(1) << walk[0]
		for len(walk) < walkLen {
			var next []int
			r, c := walk[len(walk)-1]/tupleColumns, walk[len(walk)-1]%tupleColumns
			for y := max(0, r-1); y <= min(tupleRows-1, r+1); y++ {
				for x := max(0, c-1); x <= min(tupleColumns-1, c+1); x++ {
					if cell := y*tupleColumns + x; visited>>cell&1 == 0 {
						next = append(next, cell)
					}
				}
			}
			if len(next) == 0 {
				break
			}
			cell := next[draw(len(next))]
			walk, visited = append(walk, cell), visited|1<<cell
		}
		if len(walk) == walkLen {
			all = append(all, walk)
		}
	}
	return all
}

func (t *tuples) Shapes() (shapes []features.Shape) {
	for _, side := range t.sides {
		shapes = append(shapes, side.ShapesOn(&t.cells)...)
	}
	return shapes
}

func (t *tuples) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	var cells [tupleRows * tupleColumns]uint8
	board.Of(s).Fill(p, cells[:])
	if t.terms != nil {
		var v position
		t.terms.measure(s, &v)
		v.turned(p)
		x = features.AppendValues(x, features.Numbers[float64](&v.values))
	}
	return t.sides[p].Extract(cells[:], x)
}

// A placer is a set that contains only tables.
type placer struct{ tuples }

func (t *placer) Placements() int { return t.sides[0].Placements() }

func (t *placer) Indices(s game.State, p game.Player, dst []int32) {
	var cells [tupleRows * tupleColumns]uint8
	board.Of(s).Fill(p, cells[:])
	t.sides[p].Indices(cells[:], dst[:0])
}

// Dense implements [features.TupleIndexer]. The set has no features other than the tables.
func (t *placer) Dense(_ game.State, _ game.Player, x models.Vector) models.Vector { return x }
