package g2048

import (
	board "plyfit/game/2048"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// Fives is the set 2048/4x5: the score, and the tuples of [Tuples] without their last
// cell, so a row with the first cell of the next one, twice, and a 2x3 rectangle without
// a corner, twice. Their tables of 16^5 weights take 17 MB together in place of 268,
// and stay in a processor's cache.
type Fives struct {
	blocks []features.Block
}

var (
	_ features.Placer   = (*Fives)(nil)
	_ features.Compiler = (*Fives)(nil)
)

// fiveLen is the number of weights of a tuple of five cells.
const fiveLen = 1 << 20

// NewFives makes the set.
func NewFives() *Fives {
	t := &Fives{blocks: []features.Block{{Name: "score", Len: 1}}}
	for _, name := range [4]string{"hook-1", "hook-2", "square-1", "square-2"} {
		t.blocks = append(t.blocks, features.Block{Name: name, Len: fiveLen, Table: true, Label: func(k int) string {
			return name + "[" + filling(k&0x3ff | k<<2&0x3ff000)[:5] + "]"
		}})
	}
	return t
}

// Name implements [features.Set].
func (t *Fives) Name() string { return "2048/4x5" }

// Blocks implements [features.Set].
func (t *Fives) Blocks() []features.Block { return t.blocks }

// View implements [features.Set]: there is only one player.
func (t *Fives) View(game.State) game.Player { return 0 }

// Extract implements [features.Set].
func (t *Fives) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	x = t.Dense(s, p, x)
	var at [placements]int32
	fillFives(s.(*board.State).Board(), &at)
	for _, i := range at {
		x = append(x, models.Term{Index: 1 + i, Value: 1})
	}
	return x
}

// Placements implements [features.Placer].
func (t *Fives) Placements() int { return placements }

// Indices implements [features.Placer].
func (t *Fives) Indices(s game.State, _ game.Player, dst []int32) {
	fillFives(s.(*board.State).Board(), (*[placements]int32)(dst))
}

// Dense implements [features.Placer]: the score.
func (t *Fives) Dense(s game.State, _ game.Player, x models.Vector) models.Vector {
	return append(x, models.Term{Index: 0, Value: float32(s.(*board.State).Score(0))})
}

// Compile implements [features.Compiler]: the tables as they are.
func (t *Fives) Compile(_ *game.Game, m *models.Linear) features.Compiled {
	return &fiveLookup{lookup{table: m.Table, score: m.Weights[0], bias: m.Bias}}
}

type fiveLookup struct{ lookup }

// Sum implements [features.Compiled].
func (l *fiveLookup) Sum(s game.State, _ game.Player) float64 {
	b := s.(*board.State)
	fillFives(b.Board(), &l.at)
	return l.total(b)
}

// fillFives finds the weights of all placements: those of six cells, whose halves of
// exponents lose the last cell's.
func fillFives(b uint64, at *[placements]int32) {
	fill(b, at)
	for i, six := range at {
		at[i] = six&0x3ff | six>>2&0xffc00 | six>>24*fiveLen
	}
}
