package design

import (
	"context"
	"math"
	"slices"
	"unsafe"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/asm"
	"plyfit/internal/elementary"
	"plyfit/learn/loss"
	"plyfit/work"
)

// A Chunk is a run of training rows whose column numbers are feature numbers plus 1. It is valid
// only during a call to visit.
type Chunk struct {
	parts  []part
	labels []float64
	plain  bool // all weights are 1 and all labels are exact

	// The following fields hold the terms of rows that cannot be read in place.
	cols []int32
	vals []float64
	row  datasets.Sample
}

// A part contains the rows of a chunk that lie in the same block. Terms are normally read in place.
// If rows are tapered, numbered differently or stored as cells, their terms are copied, those of
// row k to the range from ends[k] to ends[k+1].
type part struct {
	block   *datasets.Block
	numbers []int32
	ends    []int32
}

// ChunkRows is the number of rows in a chunk. It is small enough that a chunk's columns are still
// in the second-level cache when the gradient is computed after the sums.
const ChunkRows = 256

// Narrow is the number of columns that sixteen bits can represent.
const Narrow = 1 << 16

// Len returns the number of rows.
func (c *Chunk) Len() int { return len(c.labels) }

// Read divides the rows into chunks and calls visit for each of them, up to the given number of
// chunks.
func (r *Rows) Read(ctx context.Context, most int, visit func(c *Chunk)) error {
	c := new(Chunk)
	var used, spare []*datasets.Block // the block used last may be needed for the next chunk
	for numbers := range slices.Chunk(r.numbers, ChunkRows) {
		if most--; most < 0 {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		work.Yield()
		if n := len(used) - 1; n > 0 {
			spare, used = append(spare, used[:n]...), append(used[:0], used[n])
		}
		c.parts, c.labels, c.plain = c.parts[:0], c.labels[:0], true
		c.cols, c.vals = c.cols[:0], c.vals[:0]
		for len(numbers) > 0 {
			k, n := int(numbers[0])/datasets.BlockRows, 1
			for n < len(numbers) && int(numbers[n])/datasets.BlockRows == k {
				n++
			}
			if len(used) == 0 || used[len(used)-1].First != k*datasets.BlockRows {
				if len(spare) == 0 {
					spare = append(spare, new(datasets.Block))
				}
				b := spare[len(spare)-1]
				if err := r.store.Block(k, b); err != nil {
					return err
				}
				spare, used = spare[:len(spare)-1], append(used, b)
			}
			c.add(r, used[len(used)-1], numbers[:n])
			numbers = numbers[n:]
		}
		visit(c)
	}
	return ctx.Err()
}

// add adds rows of a block.
func (c *Chunk) add(r *Rows, b *datasets.Block, numbers []int32) {
	if labels := b.Labels(); labels != nil {
		for _, n := range numbers {
			c.labels = append(c.labels, labels[int(n)-b.First])
		}
	} else {
		for _, n := range numbers {
			y, weight, kind := b.Label(int(n) - b.First)
			c.labels = append(c.labels, y)
			c.plain = c.plain && weight == 1 && kind == game.Exact
		}
	}
	p := part{block: b, numbers: numbers}
	if !r.plain || b.Ends == nil {
		p.ends = append(make([]int32, 0, len(numbers)+1), int32(len(c.cols)))
		for _, n := range numbers {
			c.read(r, b, int(n)-b.First)
			p.ends = append(p.ends, int32(len(c.cols)))
		}
	}
	c.parts = append(c.parts, p)
}

// read appends the terms of a row.
func (c *Chunk) read(r *Rows, b *datasets.Block, i int) {
	if r.plain {
		c.cols, c.vals = b.Terms(i, c.cols, c.vals)
		return
	}
	b.Row(i, &c.row)
	for _, t := range c.row.X {
		c.cols, c.vals = append(c.cols, t.Index+1), append(c.vals, float64(t.Value))
	}
}

// Dots sets z[i] to the weighted sum over row i.
func (c *Chunk) Dots(z, w []float64) {
	for _, p := range c.parts {
		b, to := p.block, z[:len(p.numbers)]
		z = z[len(to):]
		switch {
		case p.ends != nil:
			for k := range to {
				to[k] = dotValues(w, c.cols[p.ends[k]:p.ends[k+1]], c.vals[p.ends[k]:p.ends[k+1]])
			}
		case b.Whole != nil && b.Short != nil:
			dots(p, to, w, b.Short, b.Whole)
		case b.Whole != nil:
			dots(p, to, w, b.Long, b.Whole)
		case b.Values != nil && b.Short != nil:
			dots(p, to, w, b.Short, b.Values)
		case b.Values != nil:
			dots(p, to, w, b.Long, b.Values)
		case b.Short != nil:
			dotsOfShorts(to, w, p.numbers, b)
		default:
			for k, n := range p.numbers {
				first, end := b.Span(int(n) - b.First)
				to[k] = dotOnes(w, b.Long[first:end])
			}
		}
	}
}

// dotsOfShorts is a version of dots for values that are all 1.
func dotsOfShorts(z, w []float64, numbers []int32, block *datasets.Block) {
	table := (*[Narrow]float64)(w[:Narrow]) // a sixteen-bit index cannot be out of range
	ends, short := block.Ends, block.Short
	numbers = numbers[:len(z)]
	for k := range z {
		i, first := int(numbers[k])-block.First, int32(0)
		if i > 0 {
			first = ends[i-1]
		}
		if next := int(ends[i]) + ahead; next+32 < len(short) {
			asm.PrefetchLine(unsafe.Pointer(&short[next]))
			asm.PrefetchLine(unsafe.Pointer(&short[next+32]))
		}
		z[k] = dotShorts(table, short[first:ends[i]])
	}
}

// ahead is the prefetch distance in columns. Held-out rows between the training rows prevent the
// processor from prefetching by itself.
const ahead = 512

// dots sets z[i] to the weighted sum over row i of a part.
func dots[C uint16 | int32, V int16 | float32](p part, z, w []float64, cols []C, vals []V) {
	for k, n := range p.numbers {
		first, end := p.block.Span(int(n) - p.block.First)
		z[k] = dotValues(w, cols[first:end], vals[first:end])
	}
}

func dotValues[C uint16 | int32, V int16 | float32 | float64](w []float64, cols []C, vals []V) float64 {
	z := 0.0
	vals = vals[:len(cols)]
	for k, c := range cols {
		z += float64(w[c] * float64(vals[k]))
	}
	return z
}

func dotOnes(w []float64, cols []int32) float64 {
	var a, b, c, d float64
	for ; len(cols) >= 4; cols = cols[4:] {
		a += w[cols[0]]
		b += w[cols[1]]
		c += w[cols[2]]
		d += w[cols[3]]
	}
	for _, j := range cols {
		a += w[j]
	}
	return (a + b) + (c + d)
}

// dotShorts must not be inlined, because its loop would then run out of registers.
//
//go:noinline
func dotShorts(w *[Narrow]float64, cols []uint16) float64 {
	_ = w[0]
	var a, b, c, d float64
	for ; len(cols) >= 4; cols = cols[4:] {
		a += w[cols[0]]
		b += w[cols[1]]
		c += w[cols[2]]
		d += w[cols[3]]
	}
	for _, j := range cols {
		a += w[j]
	}
	return (a + b) + (c + d)
}

// AddTo adds the products of g[i] and row i to dst.
func (c *Chunk) AddTo(dst, g []float64) {
	for _, p := range c.parts {
		b, of := p.block, g[:len(p.numbers)]
		g = g[len(of):]
		switch {
		case p.ends != nil:
			for k, v := range of {
				addValues(dst, v, c.cols[p.ends[k]:p.ends[k+1]], c.vals[p.ends[k]:p.ends[k+1]])
			}
		case b.Whole != nil && b.Short != nil:
			addTo(p, dst, of, b.Short, b.Whole)
		case b.Whole != nil:
			addTo(p, dst, of, b.Long, b.Whole)
		case b.Values != nil && b.Short != nil:
			addTo(p, dst, of, b.Short, b.Values)
		case b.Values != nil:
			addTo(p, dst, of, b.Long, b.Values)
		case b.Short != nil:
			addShorts(of, dst, p.numbers, b)
		default:
			for k, v := range of {
				first, end := b.Span(int(p.numbers[k]) - b.First)
				for _, j := range b.Long[first:end] {
					dst[j] += v
				}
			}
		}
	}
}

func addTo[C uint16 | int32, V int16 | float32](p part, dst, g []float64, cols []C, vals []V) {
	for k, v := range g {
		first, end := p.block.Span(int(p.numbers[k]) - p.block.First)
		addValues(dst, v, cols[first:end], vals[first:end])
	}
}

func addValues[C uint16 | int32, V int16 | float32 | float64](dst []float64, g float64, cols []C, vals []V) {
	vals = vals[:len(cols)]
	for k, j := range cols {
		dst[j] += float64(g * float64(vals[k]))
	}
}

// addShorts is a version of addTo for values that are all 1.
func addShorts(g, dst []float64, numbers []int32, block *datasets.Block) {
	table := (*[Narrow]float64)(dst[:Narrow])
	ends, short := block.Ends, block.Short
	for k, v := range g {
		i, first := int(numbers[k])-block.First, int32(0)
		if i > 0 {
			first = ends[i-1]
		}
		cols := short[first:ends[i]]
		for ; len(cols) >= 4; cols = cols[4:] {
			table[cols[0]] += v
			table[cols[1]] += v
			table[cols[2]] += v
			table[cols[3]] += v
		}
		for _, j := range cols {
			table[j] += v
		}
	}
}

// Gradients replaces the sums z of the chunk's rows with the gradients, multiplied by the rows'
// weights. It returns the total loss of the rows.
func (c *Chunk) Gradients(criterion loss.Function, z []float64) (sum float64) {
	l, logistic := criterion.(loss.Logistic)
	if logistic && c.plain {
		for i, y := range c.labels {
			c.labels[i] = l.Probability(y)
		}
		return logisticGradients(l.Steepness(), z, c.labels)
	}
	c.each(func(i int, y, weight float64, kind game.Bound) {
		v, g := 0.0, 0.0
		if logistic {
			v, g, _ = l.Loss(z[i], y)
		} else {
			v, g, _ = criterion.Loss(z[i], y)
		}
		if Satisfied(kind, g) {
			v, g = 0, 0
		}
		sum += float64(weight * v)
		z[i] = weight * g
	})
	return sum
}

// each calls visit for every row.
func (c *Chunk) each(visit func(i int, y, weight float64, kind game.Bound)) {
	i := 0
	for _, p := range c.parts {
		for _, n := range p.numbers {
			y, weight, kind := p.block.Label(int(n) - p.block.First)
			visit(i, y, weight, kind)
			i++
		}
	}
}

// Curve adds the second derivative of the loss to sum, and the rows' weights to weight. The
// derivative is taken at the sums z, in the direction given by along, the rate at which each sum
// changes.
func (c *Chunk) Curve(criterion loss.Function, z, along []float64, sum, weight float64) (float64, float64) {
	c.each(func(i int, y, w float64, kind game.Bound) {
		if _, g, h := criterion.Loss(z[i], y); !Satisfied(kind, g) {
			sum += float64(w * h * along[i] * along[i])
		}
		weight += w
	})
	return sum, weight
}

// logisticGradients replaces the weighted sums z of rows with the gradients of the logistic loss,
// where p = 1/(1+exp(-scale z)). The labels q are probabilities. It returns the total loss of the
// rows in nats. It accepts at most 1,000 rows, because it takes the logarithm of a product of terms
// 1+e.
func logisticGradients(scale float64, z, q []float64) float64 {
	var sum [4]float64
	product := [4]float64{1, 1, 1, 1}
	fours := len(z) &^ 3
	for i := range z {
		k := i & 3
		if i >= fours {
			k = 0
		}
		sz := scale * z[i]
		e := elementary.ExpMinus(math.Abs(sz))
		d := 1 + e
		p := 1 / d
		if sz < 0 {
			p *= e
		}
		product[k] *= d
		sum[k] += max(sz, 0) - float64(q[i]*sz)
		z[i] = scale * (p - q[i])
	}
	return (sum[0] + sum[1]) + (sum[2] + sum[3]) + elementary.Log((product[0]*product[1])*(product[2]*product[3]))
}
