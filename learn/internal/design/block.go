package design

import (
	"math/bits"

	"plyfit/game"
)

// Row is what a training row has beside its columns.
type Row struct {
	Y, Weight, Offset float64    // Offset is what frozen weights say
	Kind              game.Bound // of the label
}

// block is a run of training rows. The terms of row i are those from start[i] to start[i+1].
type block struct {
	start []int32
	cols  []uint16
	vals  []float32
	rows  []Row
}

// blockRows is how many rows a block of so many columns has: so many that adding them
// takes longer than adding the block to others.
func blockRows(columns int) int {
	const least = 1 << 14
	if n := 32 * columns; n > least {
		return 1 << bits.Len(uint(n-1))
	}
	return least
}

// Add adds a row that holds vals, which are float32 each, at cols and zeros elsewhere.
func (b *block) Add(cols []int32, vals []float64, r Row) {
	if b.start == nil {
		b.start = []int32{0}
	}
	for k, c := range cols {
		b.cols, b.vals = append(b.cols, uint16(c)), append(b.vals, float32(vals[k]))
	}
	b.start, b.rows = append(b.start, int32(len(b.cols))), append(b.rows, r)
}

// Len is how many rows there are.
func (b *block) Len() int { return len(b.rows) }

func (b *block) clear() {
	b.start, b.cols, b.vals, b.rows = append(b.start[:0], 0), b.cols[:0], b.vals[:0], b.rows[:0]
}
