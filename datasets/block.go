package datasets

import (
	"slices"
	"unsafe"

	"plyfit/game"
	"plyfit/models"
)

// BlockRows is how many rows a [Block] has; the last one of a store may have fewer.
const BlockRows = 256

// Block is a run of rows of a [Store], read-only. The terms of a row are where most cells of the
// block are 0; else there is a cell for every column.
type Block struct {
	First int // number of its first row in the store

	Ends []int32 // of each row's terms
	// Columns of the terms, 0 for the bias and else 1 more than the index, in one of two shapes.
	Short []uint16
	Long  []int32
	// What stands in the columns, in one of two shapes; neither: ones.
	Whole  []int16
	Values []float32

	labels, weights     []float64
	episodes, positions []uint64
	phases              []float32
	plies               []int32
	marks               []uint8

	shape
	store  *Store
	buffer []byte // of the block itself, to read into

	columns []int32 // of a row
	values  []float64
}

// shape says what the packed bytes of a block hold.
type shape struct {
	bytes              int
	rows, terms, cells int // cells: how many numbers there are
	width, from        int // of a row of cells and its first column; width 0: terms
	most               int32
	odd                bool // a column is below 0, or a number not finite
	biased             bool // a row has column 0

	long, whole                                                   bool
	hasWeight, hasEpisode, hasPosition, hasPhase, hasPly, hasMark bool
}

// lay has the slices of b point into its packed bytes, and returns how many these are. nil measures.
func (b *Block) lay(packed []byte) (size int) {
	some := func(n int, has bool) int {
		if has {
			return n
		}
		return 0
	}
	l := layer{packed: packed}
	place(&l, &b.labels, b.rows)
	place(&l, &b.weights, some(b.rows, b.hasWeight))
	place(&l, &b.episodes, some(b.rows, b.hasEpisode))
	place(&l, &b.positions, some(b.rows, b.hasPosition))
	place(&l, &b.phases, some(b.rows, b.hasPhase))
	place(&l, &b.plies, some(b.rows, b.hasPly))
	place(&l, &b.Ends, some(b.rows, b.width == 0))
	place(&l, &b.Long, some(b.terms, b.long))
	place(&l, &b.Values, some(b.cells, !b.whole))
	place(&l, &b.Short, some(b.terms, !b.long))
	place(&l, &b.Whole, some(b.cells, b.whole))
	place(&l, &b.marks, some(b.rows, b.hasMark))
	return (l.at + 7) &^ 7
}

// layer lays slices into packed bytes, those of large elements first.
type layer struct {
	packed []byte
	at     int
}

// place lays n elements of to, nil for none.
func place[T any](l *layer, to *[]T, n int) {
	*to = nil
	if n > 0 && l.packed != nil {
		*to = unsafe.Slice((*T)(unsafe.Pointer(&l.packed[l.at])), n)
	}
	l.at += n * int(unsafe.Sizeof(*new(T)))
}

// Len is the number of rows in the block.
func (b *Block) Len() int { return b.rows }

// Fits reports whether all terms are of features below n and finite.
func (b *Block) Fits(n int) bool {
	if b.store.Tapered {
		n /= 2
	}
	return !b.odd && (b.store.features != nil || int(b.most) <= n)
}

// Row fills in a row.
func (b *Block) Row(i int, s *Sample) {
	b.Outline(i, s)
	s.X = b.vector(i, s.X[:0])
}

// Outline fills in all of a row but its features.
func (b *Block) Outline(i int, s *Sample) {
	s.Y, s.Weight, s.Kind = b.Label(i)
	s.Episode, s.Position = get(b.episodes, i, uint64(b.First+i)), get(b.positions, i, 0)
	s.Ply, s.Phase = get(b.plies, i, 0), get(b.phases, i, 0)
	mark := get(b.marks, i, 0)
	s.Explored, s.Truncated = mark&wasExplored != 0, mark&wasTruncated != 0
}

// Labels returns the labels of the rows if each weighs 1 and is exact, else nil.
func (b *Block) Labels() []float64 {
	if b.weights != nil || b.marks != nil {
		return nil
	}
	return b.labels
}

// Label returns a row's label, weight, and whether the label is a bound.
func (b *Block) Label(i int) (y, weight float64, kind game.Bound) {
	return b.labels[i], get(b.weights, i, 1), game.Bound(get(b.marks, i, 0) & kindMask)
}

// get is from[i], or otherwise if there is no from.
func get[T any](from []T, i int, otherwise T) T {
	if from == nil {
		return otherwise
	}
	return from[i]
}

// What the marks of a row say.
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

// vector appends the features of a row.
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

// Terms appends the columns and values of a row's terms, before any taper.
func (b *Block) Terms(i int, columns []int32, values []float64) ([]int32, []float64) {
	if first := i * b.width; b.width > 0 && b.whole {
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
	case b.whole:
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

// notZero appends the cells of a row that are not 0.
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

// Span is where the terms of a row are. There is none where rows have cells.
func (b *Block) Span(i int) (first, end int32) {
	if i > 0 {
		first = b.Ends[i-1]
	}
	return first, b.Ends[i]
}

// Ones reports whether the block has terms, each of value 1.
func (b *Block) Ones() bool { return b.width == 0 && b.cells == 0 }

// Cells writes the cells of a row by column, zeros where it has none, and reports whether the block
// has cells, no taper, and no column beyond.
func (b *Block) Cells(i int, cells []float64) bool {
	if b.width == 0 || b.store.Tapered || b.store.features != nil || int(b.most) >= len(cells) {
		return false
	}
	clear(cells[:b.from])
	clear(cells[b.from+b.width:])
	if first := i * b.width; b.whole {
		widen(cells[b.from:], b.Whole[first:first+b.width])
	} else {
		widen(cells[b.from:], b.Values[first:first+b.width])
	}
	return true
}

// Bias is the value of a row's column for the bias, 1 if it has none.
func (b *Block) Bias(i int) float64 {
	if b.biased && !b.Ones() {
		b.columns, b.values = b.Terms(i, b.columns[:0], b.values[:0])
		if k := slices.Index(b.columns, 0); k >= 0 {
			return b.values[k]
		}
	}
	return 1
}
