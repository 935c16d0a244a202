package design

import (
	"context"
	"errors"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/loss"
	"plyfit/models"
)

// RowStore hands out rows of a sparse design again and again: from memory as
// long as they fit, else from the samples themselves. Columns are those of the
// design; what frozen weights say is kept apart.
type RowStore struct {
	Ctx      context.Context
	Data     datasets.Samples
	Model    *models.Linear
	Split    *Split
	Matrix   *Matrix
	Loss     loss.Function
	Kept     bool // rows are in memory
	Training []Chunk
}

// Chunk is a run of rows, the terms of row i at start[i] to start[i+1].
type Chunk struct {
	start []int32
	Cols  []int32
	Short []uint16  // in place of cols where the design has at most 65,536 columns and every value is 1
	vals  []float32 // nil where every value is 1
	Rows  []storedRow
	Share []float64 // in place of rows where all are plain: the probabilities to be predicted
}

// Narrow is the number of columns that sixteen bits can tell apart.
const Narrow = 1 << 16

// ChunkRows is so few that the columns of a chunk stay in the second-level cache
// from the sums to the gradient.
const ChunkRows = 256

// storedRow is a row of any kind. A plain one has an exact label for the
// logistic loss, a weight of one, and no offset.
type storedRow struct {
	Offset, Y, Weight float64
	Kind              game.Bound
}

func (c *Chunk) Len() int { return len(c.start) - 1 }

// term is the column and the value of term k of the chunk.
func (c *Chunk) term(k int32) (int32, float64) {
	switch {
	case c.Short != nil:
		return int32(c.Short[k]), 1
	case c.vals == nil:
		return c.Cols[k], 1
	}
	return c.Cols[k], float64(c.vals[k])
}

func (c *Chunk) bytes() int64 {
	return 4*int64(len(c.start)+len(c.Cols)+len(c.vals)) + 2*int64(len(c.Short)) + 32*int64(len(c.Rows)) + 8*int64(len(c.Share))
}

// builder gathers rows into a chunk, in memory that it uses again.
type builder struct {
	c      Chunk
	narrow bool // every column so far fits c.short
	ones   bool // every value so far is 1
	plain  bool // every row so far is
}

func (b *builder) clear(d *Matrix) {
	c := &b.c
	c.start, c.Cols, c.Short, c.vals, c.Rows, c.Share = c.start[:1], c.Cols[:0], c.Short[:0], c.vals[:0], c.Rows[:0], c.Share[:0]
	b.narrow, b.ones, b.plain = d.Width() <= Narrow, true, true
}

// add takes a row whose features are known to be the model's, and returns the
// value of the bias column, 1 where x carries none.
func (b *builder) add(s *RowStore, x *datasets.Sample) (bias float64) {
	c, column, offset := &b.c, s.Matrix.Column, 0.0
	if b.narrow && b.addOnes(column, x.X) {
		b.finish(s, x, 0, len(c.Short))
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
			offset += float64(s.Model.Weight(t.Index) * float64(t.Value))
			continue
		}
		c.Cols, c.vals = append(c.Cols, j), append(c.vals, t.Value)
		b.ones = b.ones && t.Value == 1
	}
	b.finish(s, x, offset, len(c.Cols))
	return bias
}

// addOnes adds the columns of x to short unless a value is not 1 or a feature is
// frozen. This loop is half of a first pass.
func (b *builder) addOnes(column []int32, x models.Vector) bool {
	from := len(b.c.Short)
	b.c.Short = slices.Grow(b.c.Short, len(x))
	out := b.c.Short[from : from+len(x)]
	for k, t := range x {
		j := column[t.Index+1]
		if j < 0 || t.Value != 1 {
			return false
		}
		out[k] = uint16(j)
	}
	b.c.Short = b.c.Short[:from+len(x)]
	return true
}

// widen turns sixteen-bit columns into columns and values.
func (b *builder) widen() {
	if !b.narrow {
		return
	}
	b.narrow = false
	for _, j := range b.c.Short {
		b.c.Cols, b.c.vals = append(b.c.Cols, int32(j)), append(b.c.vals, 1)
	}
	b.c.Short = b.c.Short[:0]
}

func (b *builder) finish(s *RowStore, x *datasets.Sample, offset float64, terms int) {
	c := &b.c
	c.start = append(c.start, int32(terms))
	c.Rows = append(c.Rows, storedRow{offset, x.Y, x.Weight, x.Kind})
	b.plain = b.plain && offset == 0 && x.Weight == 1 && x.Kind == game.Exact
}

// view is the chunk so far, valid until the next row.
func (b *builder) view(criterion loss.Function) Chunk {
	c := b.c
	if b.narrow {
		c.Cols, c.vals = nil, nil
	} else if c.Short = nil; b.ones {
		c.vals = nil
	}
	l, logistic := criterion.(loss.Logistic)
	if !logistic || !b.plain {
		c.Share = nil
		return c
	}
	for i := range c.Rows {
		b.c.Share = append(b.c.Share, l.Probability(c.Rows[i].Y))
	}
	c.Share, c.Rows = b.c.Share, nil
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

func (s *slab) keep(c Chunk) Chunk {
	return Chunk{slices.Clone(c.start), slices.Clone(c.Cols), s.clone(c.Short), slices.Clone(c.vals), slices.Clone(c.Rows), slices.Clone(c.Share)}
}

// Read walks over the training rows a chunk at a time; a chunk is valid during the call.
func (s *RowStore) Read(visit func(c *Chunk)) error { return s.read(math.MaxInt, visit) }

// Sample visits the first few thousand training rows, the same ones wherever rows
// are kept, so that a fit does not depend on the room for them.
func (s *RowStore) Sample(visit func(c *Chunk)) error { return s.read(16, visit) }

// errEnough ends a walk early.
var errEnough = errors.New("enough rows")

// read visits the first chunks of the training rows.
func (s *RowStore) read(chunks int, visit func(c *Chunk)) error {
	if s.Kept {
		for i := range min(chunks, len(s.Training)) {
			if err := s.Ctx.Err(); err != nil {
				return err
			}
			visit(&s.Training[i])
		}
		return s.Ctx.Err()
	}
	err := s.chunks(Rescan, func(*datasets.Sample, float64) {}, func(c *Chunk) error {
		visit(c)
		if chunks--; chunks == 0 {
			return errEnough
		}
		return nil
	})
	if err == errEnough {
		err = nil
	}
	return err
}

// chunks walks over the training rows, each with the value of its bias column, and their chunks.
func (s *RowStore) chunks(pass Scanner, row func(x *datasets.Sample, bias float64), full func(c *Chunk) error) error {
	b := &builder{c: Chunk{start: []int32{0}}}
	b.clear(s.Matrix)
	flush := func() error {
		c := b.view(s.Loss)
		err := full(&c)
		b.clear(s.Matrix)
		return err
	}
	err := pass(s.Ctx, s.Data, s.Model, s.Split, func(x *datasets.Sample, held bool) error {
		if held {
			return nil
		}
		if row(x, b.add(s, x)); b.c.Len() == ChunkRows {
			return flush()
		}
		return nil
	})
	if err == nil && b.c.Len() > 0 {
		err = flush()
	}
	return err
}

// Which is 0 for training rows, 1 for held-out ones.
func Which(held bool) int {
	if held {
		return 1
	}
	return 0
}

// Open makes the first pass: it checks, counts, and keeps rows while they take no
// more than limit bytes.
func (s *RowStore) Open(t *Tally, limit int64) (*Moments, error) {
	mo := &Moments{Column: make([]moment, s.Matrix.Width()), one: true}
	keep, bytes := limit > 0, int64(0)
	var memory slab
	err := s.chunks(Scan, func(x *datasets.Sample, bias float64) {
		t.addRow(x, bias, s.Loss)
		mo.addBias(x.Weight, bias)
	}, func(c *Chunk) error {
		mo.addChunk(c, t)
		if keep {
			s.Training = append(s.Training, memory.keep(*c))
			if bytes += c.bytes(); bytes > limit {
				keep, s.Training, memory = false, nil, slab{}
			}
		}
		return nil
	})
	s.Kept = keep
	mo.finish(t)
	if err == nil && t.Rows == 0 {
		err = ErrNoRows
	}
	return mo, err
}
