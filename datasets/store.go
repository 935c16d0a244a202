package datasets

import (
	"fmt"
	"iter"
	"math"
	"os"
	"slices"

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
	keepInMemory = 32 << 20
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
	s.fresh.rows = s.fresh.rows[:0]
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
	shape
	rows          []Sample // without their features
	ends, columns []int32
	values        []float32

	ones   bool // every value so far is 1
	strict bool // columns ascend in every row, and no value is 0
	least  int32
	wide   int32 // has a bit above the lowest sixteen if a column has
}

// Add adds a row and returns the block that it completes, which is valid until the next row, or nil.
func (s *Store) Add(x *Sample) *Block {
	f := &s.fresh
	if len(f.rows) == 0 {
		*f = filling{rows: f.rows, ends: f.ends[:0], columns: f.columns[:0], values: f.values[:0], ones: true, strict: true, least: math.MaxInt32, shape: shape{most: -1}}
	}
	n, last := len(f.columns), int32(-1)
	f.columns = slices.Grow(f.columns, len(x.X))[:n+len(x.X)]
	f.values = slices.Grow(f.values, len(x.X))[:n+len(x.X)]
	columns, values := f.columns[n:], f.values[n:]
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
	f.hasWeight = f.hasWeight || x.Weight != 1
	f.hasEpisode = f.hasEpisode || x.Episode != uint64(s.rows)
	f.hasPosition = f.hasPosition || x.Position != 0
	f.hasPly = f.hasPly || x.Ply != 0
	f.hasMark = f.hasMark || markOf(x) != 0
	f.ends, f.rows = append(f.ends, int32(len(f.columns))), append(f.rows, *x)
	f.rows[len(f.rows)-1].X = nil
	if s.rows++; len(f.rows) == BlockRows {
		return s.Seal()
	}
	return nil
}

// Seal ends the block at work, in the shape that takes least, and returns it; nil if it has no row.
func (s *Store) Seal() *Block {
	f, b := &s.fresh, &s.last
	if len(f.rows) == 0 {
		return nil
	}
	h := f.shape
	h.rows, h.terms, h.cells, h.hasPhase = len(f.rows), len(f.columns), len(f.columns), s.Tapered
	h.odd, h.biased, h.long, h.from = h.odd || f.least < 0, f.least == 0, f.wide>>16 != 0, 1
	s.biased = s.biased || h.biased
	if h.biased {
		h.from = 0
	}
	if width := int(h.most+1) - h.from; width > 0 && f.strict && !h.odd && 2*h.terms > h.rows*width {
		h.width, h.terms, h.cells = width, 0, h.rows*width
	}
	if f.ones && h.width == 0 {
		h.cells = 0
	}
	h.whole = h.cells > 0 && wholes(f.values)
	b.store, b.First, b.shape = s, s.rows-h.rows, h
	b.bytes = b.lay(nil)
	packed := s.room(b.bytes)
	b.lay(packed)
	f.write(b)
	s.put(b.shape, packed)
	f.rows = f.rows[:0]
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
	for i := range f.rows {
		r := &f.rows[i]
		b.labels[i] = r.Y
		set(b.weights, i, r.Weight)
		set(b.episodes, i, r.Episode)
		set(b.positions, i, r.Position)
		set(b.phases, i, r.Phase)
		set(b.plies, i, r.Ply)
		set(b.marks, i, markOf(r))
	}
	copy(b.Ends, f.ends)
	copy(b.Long, f.columns)
	narrow(b.Short, f.columns)
	if b.width == 0 {
		narrow(b.Whole, f.values)
		copy(b.Values, f.values)
		return
	}
	at := 0
	for row, end := range f.ends {
		for ; at < int(end); at++ {
			cell := row*b.width + int(f.columns[at]) - b.from
			set(b.Whole, cell, int16(f.values[at]))
			set(b.Values, cell, f.values[at])
		}
	}
}

// set is to[i] = v unless there is no to.
func set[T any](to []T, i int, v T) {
	if to != nil {
		to[i] = v
	}
}

// narrow fills to with the first of from.
func narrow[T uint16 | int16, F int32 | float32](to []T, from []F) {
	for k, v := range from[:len(to)] {
		to[k] = T(v)
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
