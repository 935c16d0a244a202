package datasets

import (
	"fmt"
	"iter"
	"math"
	"os"
	"slices"
	"unsafe"

	"plyfit/game"
	"plyfit/models"
	"plyfit/work"
)

// Store keeps rows for the passes of a learner, in blocks of [BlockRows]: the first Limit bytes in
// memory, the rest in an unnamed temporary file that goes with the process, or in memory, too, if
// no file can be written, for want of room.
//
// A store is filled by Add and Seal, or, if [Keep] made it, by its first pass over other samples.
// Once filled, it can be read by several goroutines.
type Store struct {
	// Limit is the bytes in memory; [Unlimited]: no file is written.
	Limit int64
	// Tapered means that each term has a weight for the middlegame and one for the endgame. Add
	// takes terms and a phase p. The rows read have two features for term c: 2c, the term times p,
	// and 2c+1, the term times 1-p.
	Tapered bool

	source   Samples // nil: filled by Add
	whole    bool    // all rows of the source are in the blocks
	rows     int
	blocks   []stored
	features []int32 // of the columns; nil: the columns are numbered as features are
	biased   bool    // some row has the column of the bias

	size    int64 // of all blocks
	slab    []byte
	file    *os.File
	written int64
	noFile  bool // none can be written, or no more
	fresh   filling
	last    Block // sealed last
}

const (
	// Unlimited is the [Store].Limit of rows that stay in memory.
	Unlimited = math.MaxInt64
	// keepInMemory is the limit of [Keep].
	keepInMemory = 16 << 20
	// slabBytes is the memory that is asked for at once.
	slabBytes = 1 << 20
)

var _ Samples = (*Store)(nil)

// Keep returns the store that data is, or one that its first pass fills with data. Close it when it
// is not needed any longer.
func Keep(data Samples) *Store {
	if kept, ok := data.(interface{ Rows() *Store }); ok {
		return kept.Rows()
	}
	return &Store{source: data, Limit: keepInMemory}
}

// Rows returns s: what embeds a store is one for [Keep].
func (s *Store) Rows() *Store { return s }

// Len is the number of rows in the store.
func (s *Store) Len() int { return s.rows }

// Close gives memory and file back. The rows of other samples can be read on; they are made again.
func (s *Store) Close() error {
	f := s.file
	s.blocks, s.slab, s.file, s.size, s.written, s.rows, s.whole, s.noFile = nil, nil, nil, 0, 0, 0, false, false
	s.fresh.clear()
	if f == nil {
		return nil
	}
	err := f.Close()
	os.Remove(f.Name()) // where an open file keeps its name
	return err
}

// Plain is the store with its rows' terms as they were added, before any taper.
func (s *Store) Plain() *Store {
	out := *s
	out.Tapered = false
	return &out
}

// Rewrite changes all rows of a store in memory, as they were added.
func (s *Store) Rewrite(change func(x *Sample)) {
	old := s.Plain()
	s.Close()
	var b Block
	var x Sample
	for k := range old.blocks {
		if err := old.Block(k, &b); err != nil {
			panic("datasets: Rewrite of rows in a file")
		}
		for i := range b.Len() {
			b.Row(i, &x)
			change(&x)
			s.Add(&x)
		}
		old.blocks[k].packed = nil
	}
	s.Seal()
}

// Renumbered is the store with its column c as feature to[c].
func (s *Store) Renumbered(to []int32) *Store {
	out := *s
	out.features = slices.Clone(to)
	return &out
}

// Numbered reports whether columns are features of other numbers.
func (s *Store) Numbered() bool { return s.features != nil }

// Feature is the feature of a column, as [Block.Terms] counts them: 0 is the bias.
func (s *Store) Feature(column int32) int32 {
	if column <= 0 || int(column) > len(s.features) {
		return column - 1
	}
	return s.features[column-1]
}

// mostShares bounds the phases by which learners take rows together.
const mostShares = 64

// Shares lists the phases of the rows, ascending; nil if they have none, or too many to group rows
// by them.
func (s *Store) Shares() (list []float32) {
	if !s.Tapered || s.biased || s.features != nil {
		return nil
	}
	for b, err := range s.Blocks() {
		if err != nil {
			return nil
		}
		for _, p := range b.phases {
			if k, known := slices.BinarySearch(list, p); !known {
				if len(list) == mostShares {
					return nil
				}
				list = slices.Insert(list, k, p)
			}
		}
	}
	return list
}

// All implements [Samples].
func (s *Store) All() iter.Seq2[*Sample, error] { return s.each((*Block).Row) }

// Outlines are samples of which some may be without their features.
func Outlines(data Samples) iter.Seq2[*Sample, error] {
	if kept, ok := data.(interface{ Rows() *Store }); ok {
		return kept.Rows().each((*Block).Outline)
	}
	return data.All()
}

// each visits the rows as read fills them in.
func (s *Store) each(read func(b *Block, i int, x *Sample)) iter.Seq2[*Sample, error] {
	return func(yield func(*Sample, error) bool) {
		var x Sample
		for b, err := range s.Blocks() {
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range b.Len() {
				work.Yield()
				if read(b, i, &x); !yield(&x, nil) {
					return
				}
			}
		}
	}
}

// Blocks visits the blocks in their order, each valid until the next. An error ends the sequence.
func (s *Store) Blocks() iter.Seq2[*Block, error] {
	if s.source != nil && !s.whole {
		return s.fill
	}
	return func(yield func(*Block, error) bool) {
		var b Block
		for k := range s.blocks {
			if err := s.Block(k, &b); err != nil {
				yield(nil, err)
				return
			}
			if !yield(&b, nil) {
				return
			}
		}
	}
}

// fill is the first pass. One that ends early keeps nothing.
func (s *Store) fill(yield func(*Block, error) bool) {
	s.Close()
	for x, err := range s.source.All() {
		if err != nil {
			if b := s.Seal(); b == nil || yield(b, nil) {
				yield(nil, err)
			}
			return
		}
		if b := s.Add(x); b != nil && !yield(b, nil) {
			return
		}
	}
	if b := s.Seal(); b != nil && !yield(b, nil) {
		return
	}
	s.whole = true
}

// Block loads block k into b, which may have held another.
func (s *Store) Block(k int, b *Block) error {
	at := &s.blocks[k]
	packed := at.packed
	if packed == nil {
		b.buffer = slices.Grow(b.buffer[:0], at.bytes)[:at.bytes]
		packed = b.buffer
		if _, err := s.file.ReadAt(packed, at.at); err != nil {
			return fmt.Errorf("samples kept in the folder for temporary files: %w", err)
		}
	}
	b.store, b.First, b.shape = s, k*BlockRows, at.shape
	b.lay(packed)
	return nil
}

// filling gathers the rows of a block.
type filling struct {
	Block
	ones     bool // every value so far is 1
	strict   bool // columns ascend in every row, and no value is 0
	least    int32
	wide     int32 // has a bit above the lowest sixteen if a column has
	weighted bool
	grouped  bool
}

func (f *filling) clear() {
	*f = filling{Block: f.Block, ones: true, strict: true, least: math.MaxInt32}
	b := &f.Block
	b.shape = shape{most: -1}
	b.Ends, b.Long, b.Values = b.Ends[:0], b.Long[:0], b.Values[:0]
	b.labels, b.weights, b.episodes, b.positions = b.labels[:0], b.weights[:0], b.episodes[:0], b.positions[:0]
	b.phases, b.plies, b.marks = b.phases[:0], b.plies[:0], b.marks[:0]
}

// What the marks of a row say.
const (
	kindMask     = 3
	wasExplored  = 4
	wasTruncated = 8
)

// Add adds a row and returns the block that it completes, which is valid until the next row, or nil.
func (s *Store) Add(x *Sample) *Block {
	f := &s.fresh
	if len(f.labels) == 0 {
		f.clear()
	}
	n, last := len(f.Long), int32(-1)
	f.Long = slices.Grow(f.Long, len(x.X))[:n+len(x.X)]
	f.Values = slices.Grow(f.Values, len(x.X))[:n+len(x.X)]
	columns, values := f.Long[n:], f.Values[n:]
	ones, strict, least, most, wide, odd := f.ones, f.strict, f.least, f.most, f.wide, f.odd
	for k, t := range x.X { // half of a first pass
		c, v := t.Index+1, t.Value
		columns[k], values[k] = c, v
		ones = ones && v == 1
		strict = strict && c > last && v != 0
		least, most = min(least, c), max(most, c)
		wide |= c
		odd = odd || v-v != 0
		last = c
	}
	f.ones, f.strict, f.least, f.most, f.wide, f.odd = ones, strict, least, most, wide, odd
	mark := byte(x.Kind)
	if x.Explored {
		mark |= wasExplored
	}
	if x.Truncated {
		mark |= wasTruncated
	}
	f.weighted = f.weighted || x.Weight != 1
	f.grouped = f.grouped || x.Episode != uint64(s.rows)
	f.hasPosition = f.hasPosition || x.Position != 0
	f.hasPly = f.hasPly || x.Ply != 0
	f.hasMark = f.hasMark || mark != 0
	f.Ends = append(f.Ends, int32(len(f.Long)))
	f.labels, f.weights = append(f.labels, x.Y), append(f.weights, x.Weight)
	f.episodes, f.positions = append(f.episodes, x.Episode), append(f.positions, x.Position)
	f.phases, f.plies, f.marks = append(f.phases, x.Phase), append(f.plies, x.Ply), append(f.marks, mark)
	if s.rows++; len(f.labels) == BlockRows {
		return s.Seal()
	}
	return nil
}

// Seal ends the block at work, in the shape that takes least, and returns it; nil if it has no row.
func (s *Store) Seal() *Block {
	f := &s.fresh
	rows := len(f.labels)
	if rows == 0 {
		return nil
	}
	h := f.shape
	h.rows, h.terms, h.cells = rows, len(f.Long), len(f.Long)
	h.hasWeight, h.hasEpisode, h.hasPhase = f.weighted, f.grouped, s.Tapered
	h.odd = h.odd || f.least < 0
	h.biased = f.least == 0
	s.biased = s.biased || h.biased
	h.long = f.wide>>16 != 0
	if h.from = 1; h.biased {
		h.from = 0
	}
	if width := int(h.most+1) - h.from; width > 0 && f.strict && !h.odd && 2*h.terms > rows*width {
		h.width, h.terms, h.cells = width, 0, rows*width
	}
	switch {
	case f.ones && h.width == 0:
		h.cells = 0
	case wholes(f.Values):
		h.whole = true
	}
	b := &s.last
	b.store, b.First, b.shape = s, s.rows-rows, h
	b.bytes = b.lay(nil)
	packed := s.room(b.bytes)
	b.lay(packed)
	f.write(b)
	s.put(b.shape, packed)
	f.labels = f.labels[:0]
	return b
}

// wholes reports whether all values are whole numbers of sixteen bits.
func wholes(values []float32) bool {
	return !slices.ContainsFunc(values, func(v float32) bool {
		return !(v >= math.MinInt16 && v <= math.MaxInt16) || math.Float32bits(v) != math.Float32bits(float32(int16(v)))
	})
}

// write copies the rows to a block that is laid out for them.
func (f *filling) write(b *Block) {
	copy(b.labels, f.labels)
	copy(b.weights, f.weights)
	copy(b.episodes, f.episodes)
	copy(b.positions, f.positions)
	copy(b.phases, f.phases)
	copy(b.plies, f.plies)
	copy(b.marks, f.marks)
	copy(b.Ends, f.Ends)
	copy(b.Long, f.Long)
	short := b.Short
	for k, c := range f.Long[:len(short)] {
		short[k] = uint16(c)
	}
	switch {
	case b.width > 0:
		at := 0
		for row, end := range f.Ends {
			for ; at < int(end); at++ {
				cell := row*b.width + int(f.Long[at]) - b.from
				if b.whole {
					b.Whole[cell] = int16(f.Values[at])
				} else {
					b.Values[cell] = f.Values[at]
				}
			}
		}
	case b.whole:
		whole := b.Whole
		for k, v := range f.Values[:len(whole)] {
			whole[k] = int16(v)
		}
	default:
		copy(b.Values, f.Values)
	}
}

// stored is a block in memory, or at a place in the file.
type stored struct {
	shape
	packed []byte
	at     int64
}

// room is zeros for the bytes of the next block: in memory, or to be written to the file.
func (s *Store) room(n int) []byte {
	if s.size+int64(n) > s.Limit && s.file == nil && !s.noFile {
		f, err := os.CreateTemp("", "plyfit-samples-")
		if s.noFile = err != nil; err == nil {
			os.Remove(f.Name()) // the open file stays
			s.file = f
		}
	}
	if s.file != nil && !s.noFile {
		s.last.buffer = slices.Grow(s.last.buffer[:0], n)[:n]
		clear(s.last.buffer)
		return s.last.buffer
	}
	if len(s.slab) < n {
		s.slab = make([]byte, max(n, min(slabBytes, 1<<13+int(s.size)/8)))
	}
	room := s.slab[:n:n]
	s.slab = s.slab[n:]
	return room
}

// put keeps a block.
func (s *Store) put(h shape, packed []byte) {
	at := stored{shape: h, packed: packed}
	if s.file != nil && !s.noFile {
		if _, err := s.file.WriteAt(packed, s.written); err == nil {
			at.packed, at.at = nil, s.written
			s.written += int64(h.bytes)
		} else { // no room: this block and those to come stay in memory
			s.noFile, at.packed = true, slices.Clone(packed)
		}
	}
	s.blocks = append(s.blocks, at)
	s.size += int64(h.bytes)
}

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
	rows := func(has bool) int {
		if has {
			return b.rows
		}
		return 0
	}
	narrow := func(n int, is bool) (yes, no int) {
		if is {
			return n, 0
		}
		return 0, n
	}
	long, short := narrow(b.terms, b.long)
	whole, values := narrow(b.cells, b.whole)
	l := layer{packed: packed}
	place(&l, &b.labels, b.rows)
	place(&l, &b.weights, rows(b.hasWeight))
	place(&l, &b.episodes, rows(b.hasEpisode))
	place(&l, &b.positions, rows(b.hasPosition))
	place(&l, &b.phases, rows(b.hasPhase))
	place(&l, &b.plies, rows(b.hasPly))
	place(&l, &b.Ends, rows(b.width == 0))
	place(&l, &b.Long, long)
	place(&l, &b.Values, values)
	place(&l, &b.Short, short)
	place(&l, &b.Whole, whole)
	place(&l, &b.marks, rows(b.hasMark))
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
	s.Episode, s.Position, s.Ply, s.Phase = uint64(b.First+i), 0, 0, 0
	s.Explored, s.Truncated = false, false
	if b.episodes != nil {
		s.Episode = b.episodes[i]
	}
	if b.positions != nil {
		s.Position = b.positions[i]
	}
	if b.plies != nil {
		s.Ply = b.plies[i]
	}
	if b.phases != nil {
		s.Phase = b.phases[i]
	}
	if b.marks != nil {
		s.Explored, s.Truncated = b.marks[i]&wasExplored != 0, b.marks[i]&wasTruncated != 0
	}
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
	weight = 1
	if b.weights != nil {
		weight = b.weights[i]
	}
	if b.marks != nil {
		kind = game.Bound(b.marks[i] & kindMask)
	}
	return b.labels[i], weight, kind
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
	if b.width > 0 {
		first := i * b.width
		if b.whole {
			for k, v := range b.Whole[first : first+b.width] {
				if v != 0 {
					columns, values = append(columns, int32(k+b.from)), append(values, float64(v))
				}
			}
			return columns, values
		}
		for k, v := range b.Values[first : first+b.width] {
			if v != 0 {
				columns, values = append(columns, int32(k+b.from)), append(values, float64(v))
			}
		}
		return columns, values
	}
	first, end := b.Span(i)
	if b.long {
		columns = append(columns, b.Long[first:end]...)
	} else {
		for _, c := range b.Short[first:end] {
			columns = append(columns, int32(c))
		}
	}
	switch {
	case b.Ones():
		for range end - first {
			values = append(values, 1)
		}
	case b.whole:
		for _, v := range b.Whole[first:end] {
			values = append(values, float64(v))
		}
	default:
		for _, v := range b.Values[first:end] {
			values = append(values, float64(v))
		}
	}
	return columns, values
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
	if b.width == 0 || b.phases != nil || b.store.features != nil || int(b.most) >= len(cells) {
		return false
	}
	clear(cells[:b.from])
	first, to := i*b.width, cells[b.from:][:b.width]
	clear(cells[b.from+b.width:])
	if b.whole {
		for k, v := range b.Whole[first : first+b.width] {
			to[k] = float64(v)
		}
		return true
	}
	for k, v := range b.Values[first : first+b.width] {
		to[k] = float64(v)
	}
	return true
}

// Bias is the value of a row's column for the bias, 1 if it has none.
func (b *Block) Bias(i int) float64 {
	if !b.biased {
		return 1
	}
	k := i * b.width
	if b.width == 0 {
		first, end := b.Span(i)
		at := -1
		if b.long {
			at = slices.Index(b.Long[first:end], 0)
		} else {
			at = slices.Index(b.Short[first:end], 0)
		}
		if k = int(first) + at; at < 0 {
			return 1
		}
	}
	v := 1.0
	switch {
	case b.cells == 0:
	case b.whole:
		v = float64(b.Whole[k])
	default:
		v = float64(b.Values[k])
	}
	if v == 0 && b.width > 0 {
		return 1
	}
	return v
}
