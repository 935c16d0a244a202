package datasets

import (
	"fmt"
	"iter"
	"math"
	"os"
	"slices"

	"plyfit/work"
)

// A Store keeps rows between the passes of a learner, in blocks of [BlockRows] rows. The first
// Limit bytes stay in memory. The rest goes to an unnamed temporary file, which disappears when the
// store is closed or the process ends. If the file cannot be written, for example because the disk
// is full, the rows stay in memory.
//
// A store is filled by Add and Seal. If it was created by [Keep], its first pass fills it with the
// samples of another source. Once filled, it can be read concurrently.
type Store struct {
	// Limit is the maximum number of bytes in memory. If it is [Unlimited], no file is written.
	Limit int64
	// Tapered means that each term has two weights, one for the middlegame and one for the endgame.
	// Add expects terms and a phase p. For each term c, the rows read back contain two features:
	// feature 2c is the term multiplied by p, and feature 2c+1 is the term multiplied by 1-p.
	Tapered bool

	source   Samples // nil if the store is filled by Add
	filled   bool    // whether all rows of the source have been stored
	rows     int
	blocks   []storedBlock
	features []int32 // maps columns to features; nil if the store is not renumbered
	biased   bool    // whether at least one row has the bias column

	size    int64 // total size of all blocks in bytes
	slab    []byte
	file    *os.File
	written int64
	noFile  bool // whether the temporary file could not be created or is full
	next    builder
	sealed  Block // most recently sealed block
}

const (
	// Unlimited is the value of Limit for a [Store] that keeps all rows in memory.
	Unlimited = math.MaxInt64
	// keepInMemory is the Limit of stores created by [Keep].
	keepInMemory = 32 << 20
	// slabBytes is the maximum size of a memory allocation for several blocks.
	slabBytes = 1 << 20
)

var _ Samples = (*Store)(nil)

// Keep returns data itself if it is already a store. Otherwise it returns a store that is filled by
// the first pass over data. The caller should close the store when it is no longer needed.
func Keep(data Samples) *Store {
	if kept, ok := data.(interface{ Rows() *Store }); ok {
		return kept.Rows()
	}
	return &Store{source: data, Limit: keepInMemory}
}

// Rows returns s. [Keep] uses it to recognise types that embed a store.
func (s *Store) Rows() *Store { return s }

// Len returns the number of rows in the store.
func (s *Store) Len() int { return s.rows }

// Close releases the memory and the file. If the store has a source, it can still be read; the next
// pass fills it again.
func (s *Store) Close() error {
	f := s.file
	s.blocks, s.slab, s.file, s.size, s.written, s.rows, s.filled, s.noFile = nil, nil, nil, 0, 0, 0, false, false
	s.next.rows = s.next.rows[:0]
	if f == nil {
		return nil
	}
	err := f.Close()
	os.Remove(f.Name()) // necessary on systems where an open file cannot be removed
	return err
}

// Plain returns a view of the store without any taper, in which each row has the terms that were
// added.
func (s *Store) Plain() *Store {
	out := *s
	out.Tapered = false
	return &out
}

// Rewrite applies the function change to all rows of a store in memory. The function receives the
// rows as they were added.
func (s *Store) Rewrite(change func(x *Sample)) {
	old := s.Plain()
	s.Close()
	var b Block
	var x Sample
	for k := range old.blocks {
		if err := old.Block(k, &b); err != nil {
			panic("datasets: Rewrite called on rows in a file")
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

// Renumbered returns a view of the store in which column c of a block, for c > 0, is feature
// to[c-1].
func (s *Store) Renumbered(to []int32) *Store {
	out := *s
	out.features = slices.Clone(to)
	return &out
}

// Numbered reports whether the store was renumbered.
func (s *Store) Numbered() bool { return s.features != nil }

// Feature returns the feature index of a column in [Block.Terms]. Column 0 is the bias.
func (s *Store) Feature(column int32) int32 {
	if column <= 0 || int(column) > len(s.features) {
		return column - 1
	}
	return s.features[column-1]
}

// mostShares is the maximum number of distinct phases for which learners group rows by phase.
const mostShares = 64

// Shares returns the distinct phases of the rows in ascending order. It returns nil if the store is
// not tapered, is renumbered or has a bias column, or if there are too many phases to group rows by
// them.
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

// Outlines yields samples that may lack their features. Use it if only the other fields are needed.
func Outlines(data Samples) iter.Seq2[*Sample, error] {
	if kept, ok := data.(interface{ Rows() *Store }); ok {
		return kept.Rows().each((*Block).Outline)
	}
	return data.All()
}

// each yields the rows. The callback read sets x to row i of a block.
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

// Blocks yields the blocks in order. A block is valid until the next iteration. An error ends the
// sequence.
func (s *Store) Blocks() iter.Seq2[*Block, error] {
	if s.source != nil && !s.filled {
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

// fill performs the first pass. If the pass ends early, the next one starts from the beginning.
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
	s.filled = true
}

// Block loads block k into b, reusing its memory.
func (s *Store) Block(k int, b *Block) error {
	at := &s.blocks[k]
	packed := at.packed
	if packed == nil {
		b.buffer = slices.Grow(b.buffer[:0], at.bytes)[:at.bytes]
		packed = b.buffer
		if _, err := s.file.ReadAt(packed, at.at); err != nil {
			return fmt.Errorf("cannot read samples from the temporary file: %w", err)
		}
	}
	b.store, b.First, b.shape = s, k*BlockRows, at.shape
	b.layOut(packed)
	return nil
}

// builder collects the rows of the next block.
type builder struct {
	shape
	rows          []Sample // without features
	ends, columns []int32
	values        []float32

	ones   bool // whether all values so far are 1
	strict bool // whether the columns are in ascending order in every row and no value is 0
	least  int32
	wide   int32 // bitwise OR of all columns
}

// Add adds a row. If the row completes a block, Add returns the block, which is valid until the
// next call to Add; otherwise it returns nil.
func (s *Store) Add(x *Sample) *Block {
	f := &s.next
	if len(f.rows) == 0 {
		*f = builder{rows: f.rows, ends: f.ends[:0], columns: f.columns[:0], values: f.values[:0], ones: true, strict: true, least: math.MaxInt32, shape: shape{most: -1}}
	}
	n, last := len(f.columns), int32(-1)
	f.columns = slices.Grow(f.columns, len(x.X))[:n+len(x.X)]
	f.values = slices.Grow(f.values, len(x.X))[:n+len(x.X)]
	columns, values := f.columns[n:], f.values[n:]
	ones, strict, least, most, wide, odd := f.ones, f.strict, f.least, f.most, f.wide, f.irregular
	for k, t := range x.X { // This loop takes up half the time of a first pass.
		c, v := t.Index+1, t.Value
		columns[k], values[k] = c, v
		ones = ones && v == 1
		strict = strict && c > last && v != 0
		least, most = min(least, c), max(most, c)
		wide |= c
		odd = odd || v-v != 0
		last = c
	}
	f.ones, f.strict, f.least, f.most, f.wide, f.irregular = ones, strict, least, most, wide, odd
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

// Seal completes the current block in the most compact shape and returns it, or nil if it has no
// rows.
func (s *Store) Seal() *Block {
	f, b := &s.next, &s.sealed
	if len(f.rows) == 0 {
		return nil
	}
	h := f.shape
	h.rows, h.terms, h.cells, h.hasPhase = len(f.rows), len(f.columns), len(f.columns), s.Tapered
	h.irregular, h.biased, h.long, h.from = h.irregular || f.least < 0, f.least == 0, f.wide>>16 != 0, 1
	s.biased = s.biased || h.biased
	if h.biased {
		h.from = 0
	}
	if width := int(h.most+1) - h.from; width > 0 && f.strict && !h.irregular && 2*h.terms > h.rows*width {
		h.width, h.terms, h.cells = width, 0, h.rows*width
	}
	if f.ones && h.width == 0 {
		h.cells = 0
	}
	h.integers = h.cells > 0 && wholes(f.values)
	b.store, b.First, b.shape = s, s.rows-h.rows, h
	b.bytes = b.layOut(nil)
	packed := s.allocate(b.bytes)
	b.layOut(packed)
	f.write(b)
	s.put(b.shape, packed)
	f.rows = f.rows[:0]
	return b
}

// wholes reports whether all values are 16-bit integers.
func wholes(values []float32) bool {
	return !slices.ContainsFunc(values, func(v float32) bool {
		return !(v >= math.MinInt16 && v <= math.MaxInt16) || math.Float32bits(v) != math.Float32bits(float32(int16(v)))
	})
}

// write copies the rows to b, which must have been laid out for them.
func (f *builder) write(b *Block) {
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

// set assigns v to to[i] unless to is nil.
func set[T any](to []T, i int, v T) {
	if to != nil {
		to[i] = v
	}
}

// narrow converts the first len(to) elements of from.
func narrow[T uint16 | int16, F int32 | float32](to []T, from []F) {
	for k, v := range from[:len(to)] {
		to[k] = T(v)
	}
}

// storedBlock is a block in memory, or in the file if packed is nil.
type storedBlock struct {
	shape
	packed []byte
	at     int64
}

// allocate returns n zero bytes for the next block. They are part of a slab if the block stays in
// memory, and a temporary buffer if it is written to the file.
func (s *Store) allocate(n int) []byte {
	if s.size+int64(n) > s.Limit && s.file == nil && !s.noFile {
		f, err := os.CreateTemp("", "plyfit-samples-")
		if s.noFile = err != nil; err == nil {
			os.Remove(f.Name()) // the open file remains accessible
			s.file = f
		}
	}
	if s.file != nil && !s.noFile {
		s.sealed.buffer = slices.Grow(s.sealed.buffer[:0], n)[:n]
		clear(s.sealed.buffer)
		return s.sealed.buffer
	}
	if len(s.slab) < n {
		s.slab = make([]byte, max(n, min(slabBytes, 1<<13+int(s.size)/8)))
	}
	room := s.slab[:n:n]
	s.slab = s.slab[n:]
	return room
}

// put appends a block to the store.
func (s *Store) put(h shape, packed []byte) {
	at := storedBlock{shape: h, packed: packed}
	if s.file != nil && !s.noFile {
		if _, err := s.file.WriteAt(packed, s.written); err == nil {
			at.packed, at.at = nil, s.written
			s.written += int64(h.bytes)
		} else { // no space left: keep this block and all later ones in memory
			s.noFile, at.packed = true, slices.Clone(packed)
		}
	}
	s.blocks = append(s.blocks, at)
	s.size += int64(h.bytes)
}
