package sums

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"plyfit/game"
)

// Row is what a training row has beside its columns.
type Row struct {
	Y, Weight, Offset float64    // Offset is what frozen weights say
	Kind              game.Bound // of the label
}

// block is a run of training rows. The terms of row i are those from start[i] to
// start[i+1].
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

// clear empties the block and keeps its memory.
func (b *block) clear() {
	b.start, b.cols, b.vals, b.rows = append(b.start[:0], 0), b.cols[:0], b.vals[:0], b.rows[:0]
}

// Bytes a row and a term take when they are packed.
const (
	rowBytes  = 4 + 3*8 + 1
	termBytes = 2 + 4
)

// pack is the block as bytes, little-endian: how many rows and terms there are (4
// bytes each); of each row where its terms end (4), label, weight and offset (8 each)
// and kind (1); of each term the column (2); of each term the value (4).
func (b *block) pack() []byte {
	le := binary.LittleEndian
	out := make([]byte, 0, 8+rowBytes*len(b.rows)+termBytes*len(b.cols))
	out = le.AppendUint32(le.AppendUint32(out, uint32(len(b.rows))), uint32(len(b.cols)))
	for i, r := range b.rows {
		out = le.AppendUint32(out, uint32(b.start[i+1]))
		for _, v := range []float64{r.Y, r.Weight, r.Offset} {
			out = le.AppendUint64(out, math.Float64bits(v))
		}
		out = append(out, byte(r.Kind))
	}
	for _, c := range b.cols {
		out = le.AppendUint16(out, c)
	}
	for _, v := range b.vals {
		out = le.AppendUint32(out, math.Float32bits(v))
	}
	return out
}

// unpack reads what [block.pack] wrote, of a design of so many columns.
func unpack(data []byte, columns int) (*block, error) {
	le := binary.LittleEndian
	if len(data) < 8 {
		return nil, fmt.Errorf("block of rows: %d bytes: want at least 8", len(data))
	}
	rows, terms := int(le.Uint32(data)), int(le.Uint32(data[4:]))
	if want := 8 + rowBytes*rows + termBytes*terms; len(data) != want {
		return nil, fmt.Errorf("block of %d rows with %d terms: %d bytes, want %d", rows, terms, len(data), want)
	}
	data = data[8:]
	b := &block{start: make([]int32, 1, rows+1), cols: make([]uint16, terms), vals: make([]float32, terms), rows: make([]Row, rows)}
	for i := range b.rows {
		end := le.Uint32(data)
		if end < uint32(b.start[i]) || end > uint32(terms) {
			return nil, fmt.Errorf("block of rows: row %d ends at term %d of %d", i, end, terms)
		}
		b.start = append(b.start, int32(end))
		float := func(at int) float64 { return math.Float64frombits(le.Uint64(data[at:])) }
		b.rows[i] = Row{float(4), float(12), float(20), game.Bound(data[28])}
		data = data[rowBytes:]
	}
	for k := range b.cols {
		if b.cols[k] = le.Uint16(data[2*k:]); int(b.cols[k]) >= columns {
			return nil, fmt.Errorf("block of rows: term %d has column %d of %d", k, b.cols[k], columns)
		}
	}
	data = data[2*terms:]
	for k := range b.vals {
		b.vals[k] = math.Float32frombits(le.Uint32(data[4*k:]))
	}
	return b, nil
}
