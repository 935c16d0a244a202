package datasets

import (
	"slices"
	"unsafe"

	"plyfit/game"
	"plyfit/models"
)

// BlockRows is the number of rows in a [Block]. The last block of a store may have fewer.
const BlockRows = 256

// A Block is a read-only sequence of rows in a [Store]. A dense block stores a cell for every
// column. It is used if most numbers are not 0 and the terms of each row are in ascending order.
// Any other block is sparse: it stores the terms of each row.
type Block struct {
	First int // index of the first row within the store

	Ends []int32 // end of each row's terms; nil if the block is dense
	// Short or Long contains the columns of the terms. The bias has column 0, and feature i has
	// column i+1.
	Short []uint16
	Long  []int32
	// Whole or Values contains the values of the terms or cells. If both are nil, all values are 1.
	Whole  []int16
	Values []float32

	labels, weights     []float64
	episodes, positions []uint64
	phases              []float32
	plies               []int32
	marks               []uint8

	shape
	store  *Store
	buffer []byte // memory for blocks that are read from the file

	columns []int32 // scratch space for the terms of a row
	values  []float64
}

// A shape describes the layout of a block's packed bytes.
type shape struct {
	bytes              int
	rows, terms, cells int   // cells is the number of stored values
	width, from        int   // if dense, cells per row and the first cell's column; if sparse, width is 0
	most               int32 // largest column
	irregular          bool  // a column is negative or a value is not finite
	biased             bool  // a row contains column 0

	long, integers                                                bool
	hasWeight, hasEpisode, hasPosition, hasPhase, hasPly, hasMark bool
}

// layOut makes the slices of b point into packed and returns the number of bytes used. If packed is
// nil, it only computes that number.
func (b *Block) layOut(packed []byte) (size int) {
	some := func(n int, has bool) int {
		if has {
			return n
		}
		return 0
	}
	l := layout{packed: packed}
	place(&l, &b.labels, b.rows)
	place(&l, &b.weights, some(b.rows, b.hasWeight))
	place(&l, &b.episodes, some(b.rows, b.hasEpisode))
	place(&l, &b.positions, some(b.rows, b.hasPosition))
	place(&l, &b.phases, some(b.rows, b.hasPhase))
	place(&l, &b.plies, some(b.rows, b.hasPly))
	place(&l, &b.Ends, some(b.rows, b.width == 0))
	place(&l, &b.Long, some(b.terms, b.long))
	place(&l, &b.Values, some(b.cells, !b.integers))
	place(&l, &b.Short, some(b.terms, !b.long))
	place(&l, &b.Whole, some(b.cells, b.integers))
	place(&l, &b.marks, some(b.rows, b.hasMark))
	return (l.at + 7) &^ 7
}

// A layout assigns consecutive parts of packed to slices. Slices with large elements come first, to
// keep all of them aligned.
type layout struct {
	packed []byte
	at     int
}

// place assigns the next n elements of packed to *to, or nil if n is 0.
func place[T any](l *layout, to *[]T, n int) {
	*to = nil
	if n > 0 && l.packed != nil {
		*to = unsafe.Slice((*T)(unsafe.Pointer(&l.packed[l.at])), n)
	}
	l.at += n * int(unsafe.Sizeof(*new(T)))
}

// Len returns the number of rows in the block.
func (b *Block) Len() int { return b.rows }

// Fits reports whether the values of all terms are finite and their feature indices are in [0, n).
func (b *Block) Fits(n int) bool {
	if b.store.Tapered {
		n /= 2
	}
	return !b.irregular && (b.store.features != nil || int(b.most) <= n)
}

// Row sets s to row i.
func (b *Block) Row(i int, s *Sample) {
	b.Outline(i, s)
	s.X = b.vector(i, s.X[:0])
}

// Outline sets all fields of s except X to those of row i.
func (b *Block) Outline(i int, s *Sample) {
	s.Y, s.Weight, s.Kind = b.Label(i)
	s.Episode, s.Position = get(b.episodes, i, uint64(b.First+i)), get(b.positions, i, 0)
	s.Ply, s.Phase = get(b.plies, i, 0), get(b.phases, i, 0)
	mark := get(b.marks, i, 0)
	s.Explored, s.Truncated = mark&wasExplored != 0, mark&wasTruncated != 0
}

// Labels returns the labels of the rows if all weights are 1 and no row has a mark. Otherwise it
// returns nil.
func (b *Block) Labels() []float64 {
	if b.weights != nil || b.marks != nil {
		return nil
	}
	return b.labels
}

// Label returns the label and the weight of row i, and whether the label is exact or a bound.
func (b *Block) Label(i int) (y, weight float64, kind game.Bound) {
	return b.labels[i], get(b.weights, i, 1), game.Bound(get(b.marks, i, 0) & kindMask)
}

// get returns from[i], or the last parameter if from is nil.
func get[T any](from []T, i int, otherwise T) T {
	if from == nil {
		return otherwise
	}
	return from[i]
}

// The bits of a mark: the kind of the label, and two flags.
const (
	kindMask     = 3
	wasExplored  = 4
	wasTruncated = 8
)

func markOf(s *Sample) (mark uint8) {
	mark = uint8(s.Kind)
	if s.Explored {
		mark |= wasExplored
	}
	if s.Truncated {
		mark |= wasTruncated
	}
	return mark
}

// vector appends the features of row i to x.
func (b *Block) vector(i int, x models.Vector) models.Vector {
	b.columns, b.values = b.Terms(i, b.columns[:0], b.values[:0])
	for k, c := range b.columns {
		f, v := b.store.Feature(c), float32(b.values[k])
		if !b.store.Tapered {
			x = append(x, models.Term{Index: f, Value: v})
			continue
		}
		mg := float32(v * b.phases[i])
		if mg != 0 {
			x = append(x, models.Term{Index: 2 * f, Value: mg})
		}
		if eg := v - mg; eg != 0 {
			x = append(x, models.Term{Index: 2*f + 1, Value: eg})
		}
	}
	return x
}

// Terms appends the columns and values of row i as they were added to the store, without any taper.
func (b *Block) Terms(i int, columns []int32, values []float64) ([]int32, []float64) {
	if first := i * b.width; b.width > 0 && b.integers {
		return notZero(b.Whole[first:first+b.width], b.from, columns, values)
	} else if b.width > 0 {
		return notZero(b.Values[first:first+b.width], b.from, columns, values)
	}
	first, end := b.Span(i)
	n := len(values)
	values = slices.Grow(values, int(end-first))[:n+int(end-first)]
	switch to := values[n:]; {
	case b.Ones():
		for k := range to {
			to[k] = 1
		}
	case b.integers:
		widen(to, b.Whole[first:end])
	default:
		widen(to, b.Values[first:end])
	}
	if b.long {
		return append(columns, b.Long[first:end]...), values
	}
	for _, c := range b.Short[first:end] {
		columns = append(columns, int32(c))
	}
	return columns, values
}

// notZero appends the nonzero cells of a row.
func notZero[T int16 | float32](cells []T, from int, columns []int32, values []float64) ([]int32, []float64) {
	for k, v := range cells {
		if v != 0 {
			columns, values = append(columns, int32(k+from)), append(values, float64(v))
		}
	}
	return columns, values
}

func widen[T int16 | float32](to []float64, from []T) {
	to = to[:len(from)]
	for k, v := range from {
		to[k] = float64(v)
	}
}

// Span returns the range of the terms of row i. The block must be sparse.
func (b *Block) Span(i int) (first, end int32) {
	if i > 0 {
		first = b.Ends[i-1]
	}
	return first, b.Ends[i]
}

// Ones reports whether the block is sparse and all its values are 1.
func (b *Block) Ones() bool { return b.width == 0 && b.cells == 0 }

// Cells stores the values of row i in the slice cells, indexed by column. It returns false and
// leaves the slice unchanged if the block is sparse or has a column beyond len(cells), or if the
// store is tapered or renumbered.
func (b *Block) Cells(i int, cells []float64) bool {
	if b.width == 0 || b.store.Tapered || b.store.features != nil || int(b.most) >= len(cells) {
		return false
	}
	clear(cells[:b.from])
	clear(cells[b.from+b.width:])
	if first := i * b.width; b.integers {
		widen(cells[b.from:], b.Whole[first:first+b.width])
	} else {
		widen(cells[b.from:], b.Values[first:first+b.width])
	}
	return true
}

// Bias returns the value of row i in the bias column, or 1 if the row has no such term.
func (b *Block) Bias(i int) float64 {
	if b.biased && !b.Ones() {
		b.columns, b.values = b.Terms(i, b.columns[:0], b.values[:0])
		if k := slices.Index(b.columns, 0); k >= 0 {
			return b.values[k]
		}
	}
	return 1
}
