package learn

import (
	"context"
	"errors"
	"slices"

	"plyfit/datasets"
	"plyfit/internal/asm"
	"plyfit/models"
)

// rowStore hands out rows of a sparse design again and again: from memory as
// long as they fit, else from the samples themselves. Columns are those of the
// design; what frozen weights say is kept apart.
type rowStore struct {
	ctx  context.Context
	data datasets.Samples
	m    *models.Linear
	sp   *split
	d    *design
	loss Loss
	kept bool // rows are in memory
	// Training and held-out rows lie apart, so that a pass over the ones does
	// not step over the others.
	training, held []chunk
}

// chunk is a run of rows, the terms of row i at start[i] to start[i+1].
type chunk struct {
	start []int32
	cols  []int32
	short []uint16  // in place of cols where the design has at most 65,536 columns and every value is 1
	vals  []float32 // nil where every value is 1
	rows  []storedRow
	share []float64 // in place of rows where all are plain: the probabilities to be predicted
}

// narrow is the number of columns that sixteen bits can tell apart.
const narrow = asm.Narrow

// chunkRows is so few that the columns of a chunk stay in the second-level cache
// from the sums to the gradient.
const chunkRows = 256

// storedRow is a row of any kind. A plain one has an exact label for the
// logistic loss, a weight of one, and no offset.
type storedRow struct {
	offset, y, weight float64
	kind              int8
}

func (c *chunk) len() int { return len(c.start) - 1 }

// term is the column and the value of term k of the chunk.
func (c *chunk) term(k int32) (int32, float64) {
	switch {
	case c.short != nil:
		return int32(c.short[k]), 1
	case c.vals == nil:
		return c.cols[k], 1
	}
	return c.cols[k], float64(c.vals[k])
}

func (c *chunk) bytes() int64 {
	return 4*int64(len(c.start)+len(c.cols)+len(c.vals)) + 2*int64(len(c.short)) + 32*int64(len(c.rows)) + 8*int64(len(c.share))
}

// builder gathers rows into a chunk, in memory that it uses again.
type builder struct {
	c      chunk
	narrow bool // columns go to c.short, for now
	ones   bool // every value so far is 1
	plain  bool // every row so far is
}

func newBuilder(d *design) *builder {
	b := &builder{c: chunk{start: []int32{0}}}
	b.clear(d)
	return b
}

func (b *builder) clear(d *design) {
	c := &b.c
	c.start, c.cols, c.short, c.vals, c.rows, c.share = c.start[:1], c.cols[:0], c.short[:0], c.vals[:0], c.rows[:0], c.share[:0]
	b.narrow, b.ones, b.plain = d.width() <= narrow, true, true
}

// add takes a row whose features are known to be the model's, and returns the
// value of the bias column, 1 where x carries none.
func (b *builder) add(s *rowStore, x *datasets.Sample) (bias float64) {
	c, column, offset := &b.c, s.d.column, 0.0
	if b.narrow && b.addOnes(column, x.X) {
		b.finish(s, x, 0, len(c.short))
		return 1
	}
	b.widen()
	bias = 1
	for _, t := range x.X {
		if t.Index == models.Bias {
			bias = float64(t.Value)
		}
		j := column[t.Index+1]
		if j < 0 {
			offset += float64(s.m.Weight(t.Index) * float64(t.Value))
			continue
		}
		c.cols, c.vals = append(c.cols, j), append(c.vals, t.Value)
		b.ones = b.ones && t.Value == 1
	}
	b.finish(s, x, offset, len(c.cols))
	return bias
}

// addOnes adds the columns of x to short unless a value is not 1 or a feature is
// frozen. This loop is half of a first pass.
func (b *builder) addOnes(column []int32, x models.Vector) bool {
	from := len(b.c.short)
	b.c.short = slices.Grow(b.c.short, len(x))
	out := b.c.short[from : from+len(x)]
	for k, t := range x {
		j := column[t.Index+1]
		if j < 0 || t.Value != 1 {
			return false
		}
		out[k] = uint16(j)
	}
	b.c.short = b.c.short[:from+len(x)]
	return true
}

// widen turns sixteen-bit columns into columns and values.
func (b *builder) widen() {
	if !b.narrow {
		return
	}
	b.narrow = false
	for _, j := range b.c.short {
		b.c.cols, b.c.vals = append(b.c.cols, int32(j)), append(b.c.vals, 1)
	}
	b.c.short = b.c.short[:0]
}

func (b *builder) finish(s *rowStore, x *datasets.Sample, offset float64, terms int) {
	c := &b.c
	c.start = append(c.start, int32(terms))
	c.rows = append(c.rows, storedRow{offset, x.Y, x.Weight, int8(x.Kind)})
	b.plain = b.plain && offset == 0 && x.Weight == 1 && x.Kind == exact
}

// view is the chunk so far, valid until the next row.
func (b *builder) view(loss Loss) chunk {
	c := b.c
	if b.narrow {
		c.cols, c.vals = nil, nil
	} else if c.short = nil; b.ones {
		c.vals = nil
	}
	l, logistic := loss.(Logistic)
	if !logistic || !b.plain {
		c.share = nil
		return c
	}
	for i := range c.rows {
		b.c.share = append(b.c.share, l.probability(c.rows[i].y))
	}
	c.share, c.rows = b.c.share, nil
	return c
}

// slab hands out copies of columns from large pieces of memory: the system is
// asked for less of it at a time than chunks are many.
type slab struct{ free []uint16 }

func (s *slab) clone(x []uint16) []uint16 {
	if len(x) == 0 {
		return nil
	}
	if len(x) > len(s.free) {
		s.free = make([]uint16, max(len(x), 1<<20))
	}
	out := s.free[:len(x):len(x)]
	s.free = s.free[len(x):]
	copy(out, x)
	return out
}

func (s *slab) keep(c chunk) chunk {
	return chunk{slices.Clone(c.start), slices.Clone(c.cols), s.clone(c.short), slices.Clone(c.vals), slices.Clone(c.rows), slices.Clone(c.share)}
}

// read walks over the training rows, or the held-out ones, a chunk at a time; a
// chunk is valid during the call. Rows that are not in memory are read in one go:
// then visit gets both kinds.
func (s *rowStore) read(both bool, visit func(c *chunk, held bool)) error {
	if s.kept {
		for i := range s.training {
			if err := s.ctx.Err(); err != nil {
				return err
			}
			visit(&s.training[i], false)
		}
		if both {
			for i := range s.held {
				visit(&s.held[i], true)
			}
		}
		return s.ctx.Err()
	}
	build := [2]*builder{newBuilder(s.d), newBuilder(s.d)}
	flush := func(b *builder, held bool) {
		c := b.view(s.loss)
		visit(&c, held)
		b.clear(s.d)
	}
	err := rescan(s.ctx, s.data, s.m, s.sp, func(x *datasets.Sample, held bool) error {
		if held && (!both || s.sp.skips(x.Position)) {
			return nil
		}
		b := build[which(held)]
		if b.add(s, x); b.c.len() == chunkRows {
			flush(b, held)
		}
		return nil
	})
	if err == nil {
		flush(build[0], false)
		flush(build[1], true)
	}
	return err
}

// errEnough ends a walk that has seen what it wanted.
var errEnough = errors.New("enough rows")

// some visits the first few thousand training rows, the same ones wherever rows
// are kept, so that a fit does not depend on the room for them.
func (s *rowStore) some(visit func(c *chunk)) error {
	const chunks = 16
	if s.kept {
		for i := range min(chunks, len(s.training)) {
			visit(&s.training[i])
		}
		return nil
	}
	b, left := newBuilder(s.d), chunks
	flush := func() {
		c := b.view(s.loss)
		visit(&c)
		b.clear(s.d)
		left--
	}
	err := rescan(s.ctx, s.data, s.m, s.sp, func(x *datasets.Sample, held bool) error {
		if held {
			return nil
		}
		if b.add(s, x); b.c.len() == chunkRows {
			if flush(); left == 0 {
				return errEnough
			}
		}
		return nil
	})
	if err == nil {
		flush()
	}
	if err == errEnough {
		err = nil
	}
	return err
}

// which is 0 for training rows, 1 for held-out ones.
func which(held bool) int {
	if held {
		return 1
	}
	return 0
}

// open makes the first pass: it checks, counts, and keeps rows while they take no
// more than limit bytes.
func (s *rowStore) open(t *tally, limit int64) (*moments, error) {
	mo := newMoments(s.d)
	keep, bytes := limit > 0, int64(0)
	build := [2]*builder{newBuilder(s.d), newBuilder(s.d)}
	var memory slab
	seal := func(held bool) {
		b := build[which(held)]
		if b.c.len() == 0 {
			return
		}
		c := b.view(s.loss)
		if !held {
			mo.addChunk(&c, t)
		}
		if keep {
			to := &s.training
			if held {
				to = &s.held
			}
			*to = append(*to, memory.keep(c))
			if bytes += c.bytes(); bytes > limit {
				keep, s.training, s.held, memory = false, nil, nil, slab{}
			}
		}
		b.clear(s.d)
	}
	err := scan(s.ctx, s.data, s.m, s.sp, func(x *datasets.Sample, held bool) error {
		if held && (!keep || s.sp.skips(x.Position)) {
			return nil
		}
		b := build[which(held)]
		bias := b.add(s, x)
		if !held {
			t.addRow(x, bias, s.loss)
			mo.addBias(x.Weight, bias)
		}
		if b.c.len() == chunkRows {
			seal(held)
		}
		return nil
	})
	seal(false)
	seal(true)
	s.kept = keep
	mo.settle(t)
	if err == nil && t.rows == 0 {
		err = ErrNoRows
	}
	return mo, err
}
