package learn

import (
	"context"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/models"
)

// rowStore hands out rows of a sparse design again and again: from memory as
// long as they fit, else from the samples themselves. Columns are those of the
// design; what frozen weights say is kept apart.
type rowStore struct {
	ctx    context.Context
	data   datasets.Samples
	m      *models.Linear
	o      *Options
	d      *design
	kept   bool // rows are in memory
	chunks []chunk
}

// chunk is a run of rows, the terms of row i at start[i] to start[i+1].
type chunk struct {
	start []int32
	cols  []int32
	short []uint16  // in place of cols where the design has at most 65,536 columns and every value is 1
	vals  []float32 // nil where every value is 1
	rows  []storedRow
}

// narrow is the number of columns that sixteen bits can tell apart.
const narrow = 1 << 16

// chunkRows is so few that the columns of a chunk stay in the second-level cache
// from the sums to the gradient.
const chunkRows = 256

type storedRow struct {
	offset, y, weight float64
	kind              int8
	held              bool
}

// read walks over all rows, a chunk at a time; a chunk is valid during the call.
func (s *rowStore) read(visit func(c *chunk)) error {
	if s.kept {
		for i := range s.chunks {
			if err := s.ctx.Err(); err != nil {
				return err
			}
			visit(&s.chunks[i])
		}
		return nil
	}
	c := chunk{start: []int32{0}}
	ones := true
	flush := func() {
		vals := c.vals
		if ones {
			c.vals = nil
		}
		visit(&c)
		c.start, c.cols, c.vals, c.rows, ones = c.start[:1], c.cols[:0], vals[:0], c.rows[:0], true
	}
	err := rescan(s.ctx, s.data, s.m, s.o, func(x *datasets.Sample, held bool) error {
		row := storedRow{y: x.Y, weight: x.Weight, kind: int8(x.Kind), held: held}
		for _, t := range x.X {
			j := s.d.column[t.Index+1]
			if j < 0 {
				row.offset += s.m.Weight(t.Index) * float64(t.Value)
				continue
			}
			c.cols, c.vals = append(c.cols, j), append(c.vals, t.Value)
			ones = ones && t.Value == 1
		}
		c.start, c.rows = append(c.start, int32(len(c.cols))), append(c.rows, row)
		if len(c.rows) == chunkRows {
			flush()
		}
		return nil
	})
	if err == nil {
		flush()
	}
	return err
}

// moments are sums over the training rows that a first pass makes.
type moments struct {
	column []moment
	bias   float64 // the bias column's square
}

// moment is what is summed for one column, in one cache line.
type moment struct {
	square, cross float64 // of the column with itself, and with the bias
	sum           float64 // of its values in row number row
	row           int64
}

// open makes the first pass: it counts, and keeps rows while they take no more
// than limit bytes.
func (s *rowStore) open(t *tally, loss Loss, limit int64) (*moments, error) {
	mo := &moments{column: make([]moment, s.d.width())}
	keep, bytes := limit > 0, int64(0)
	at := chunk{start: []int32{0}}
	ones := true
	seal := func() {
		c := chunk{start: slices.Clone(at.start), rows: slices.Clone(at.rows)}
		switch {
		case ones && s.d.width() <= narrow:
			c.short = make([]uint16, len(at.cols))
			for k, j := range at.cols {
				c.short[k] = uint16(j)
			}
		case ones:
			c.cols = slices.Clone(at.cols)
		default:
			c.cols, c.vals = slices.Clone(at.cols), slices.Clone(at.vals)
		}
		bytes += 4*int64(len(c.start)+len(c.cols)+len(c.vals)) + 2*int64(len(c.short)) + 32*int64(len(c.rows))
		s.chunks = append(s.chunks, c)
		ones = true
		at.start, at.cols, at.vals, at.rows = at.start[:1], at.cols[:0], at.vals[:0], at.rows[:0]
	}
	err := scan(s.ctx, s.data, s.m, s.o, func(x *datasets.Sample, held bool) error {
		cols, vals, offset := s.d.row(x.X)
		if !held {
			t.add(x, cols, vals, loss)
			b := t.bias
			mo.bias += x.Weight * b * b
			for k, c := range cols {
				// The values of equal columns in a row add up before they are squared.
				e, v := &mo.column[c], vals[k]
				if e.row != t.rows {
					e.row, e.sum = t.rows, 0
				}
				e.square += x.Weight * v * (2*e.sum + v)
				e.sum += v
				e.cross += x.Weight * v * b
			}
		}
		if !keep {
			return nil
		}
		at.cols = append(at.cols, cols...)
		for _, v := range vals {
			ones = ones && v == 1
			at.vals = append(at.vals, float32(v))
		}
		at.start = append(at.start, int32(len(at.cols)))
		at.rows = append(at.rows, storedRow{offset, x.Y, x.Weight, int8(x.Kind), held})
		if len(at.rows) == chunkRows {
			seal()
			if bytes > limit {
				keep, s.chunks = false, nil
			}
		}
		return nil
	})
	if keep {
		seal()
	}
	s.kept = keep
	if err == nil && t.rows == 0 {
		err = ErrNoRows
	}
	return mo, err
}

// variances are v_j of [Options].Penalty, from the first pass.
func (mo *moments) variances(d *design, total float64) []float64 {
	v := make([]float64, len(mo.column))
	for j, e := range mo.column {
		if j == d.bias {
			continue
		}
		v[j] = e.square
		if d.bias >= 0 && mo.bias > 0 {
			v[j] -= e.cross * e.cross / mo.bias
		}
		if v[j] <= 1e-12*e.square {
			v[j] = 0
		}
		v[j] /= total
	}
	return v
}

// dots sets z[i] to the weighted sum over row i and its offset, for the rows that
// want tells.
func (c *chunk) dots(z, w []float64, judgeHeld bool) {
	short := c.short != nil
	var table *[narrow]float64
	if short {
		table = (*[narrow]float64)(w[:narrow])
	}
	for i := range c.rows {
		if c.rows[i].held && !judgeHeld {
			continue
		}
		a, b := c.start[i], c.start[i+1]
		switch {
		case short:
			z[i] = c.rows[i].offset + dotShort(table, c.short[a:b])
		case c.vals == nil:
			z[i] = c.rows[i].offset + dotOnes(w, c.cols[a:b])
		default:
			z[i] = c.rows[i].offset + dotValues(w, c.cols[a:b], c.vals[a:b])
		}
	}
}

// addTo adds g[i] times row i to dst, for the training rows.
func (c *chunk) addTo(dst, g []float64) {
	short := c.short != nil
	var table *[narrow]float64
	if short {
		table = (*[narrow]float64)(dst[:narrow])
	}
	for i := range c.rows {
		v := g[i]
		if c.rows[i].held || v == 0 {
			continue
		}
		a, b := c.start[i], c.start[i+1]
		switch {
		case short:
			addShort(table, c.short[a:b], v)
		case c.vals == nil:
			for _, j := range c.cols[a:b] {
				dst[j] += v
			}
		default:
			vals := c.vals[a:b]
			for k, j := range c.cols[a:b] {
				dst[j] += v * float64(vals[k])
			}
		}
	}
}

// The sums go four ways, since one addition waits for the one before. Of
// sixteen bits no index leaves the table, and none is checked.

func dotShort(w *[narrow]float64, cols []uint16) float64 {
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

func addShort(dst *[narrow]float64, cols []uint16, v float64) {
	for ; len(cols) >= 4; cols = cols[4:] {
		dst[cols[0]] += v
		dst[cols[1]] += v
		dst[cols[2]] += v
		dst[cols[3]] += v
	}
	for _, j := range cols {
		dst[j] += v
	}
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

func dotValues(w []float64, cols []int32, vals []float32) float64 {
	z := 0.0
	vals = vals[:len(cols)]
	for k, c := range cols {
		z += w[c] * float64(vals[k])
	}
	return z
}

// judge turns the sums z of the chunk's rows into gradients times weights, and
// returns the total losses of training and of held-out rows (0 of the latter
// unless judgeHeld) and the held-out rows' weight.
func (c *chunk) judge(loss Loss, z []float64, judgeHeld bool) (sum, held, heldWeight float64) {
	if l, ok := loss.(Logistic); ok {
		return c.judgeLogistic(l, z, judgeHeld)
	}
	for i := range c.rows {
		row := &c.rows[i]
		if row.held && !judgeHeld {
			continue
		}
		v, g := lossOf(loss, z[i], row)
		if row.held {
			held += row.weight * v
			heldWeight += row.weight
			continue
		}
		sum += row.weight * v
		z[i] = row.weight * g
	}
	return sum, held, heldWeight
}

// judgeLogistic is the inner loop of most fits. ln(1+e) of rows of weight 1 is
// taken of their product, at most 2 to the power of chunkRows.
func (c *chunk) judgeLogistic(l Logistic, z []float64, judgeHeld bool) (sum, held, heldWeight float64) {
	scale := l.Scale
	if scale == 0 {
		scale = 1
	}
	product := 1.0
	for i := range c.rows {
		row := &c.rows[i]
		if row.held || row.kind != exact {
			if row.held && !judgeHeld {
				continue
			}
			v, g := lossOf(l, z[i], row)
			if row.held {
				held += row.weight * v
				heldWeight += row.weight
			} else {
				sum += row.weight * v
				z[i] = row.weight * g
			}
			continue
		}
		q, sz := l.probability(row.y), scale*z[i]
		e := expNegative(math.Abs(sz))
		p := 1 / (1 + e)
		v := -q * sz
		if sz < 0 {
			p *= e
		} else {
			v += sz
		}
		if row.weight == 1 {
			product *= 1 + e
		} else {
			v += math.Log(1 + e)
		}
		sum += row.weight * v
		z[i] = row.weight * scale * (p - q)
	}
	return sum + math.Log(product), held, heldWeight
}

// lossOf is bounded for a stored row; the losses of this package are called
// without an interface.
func lossOf(loss Loss, z float64, row *storedRow) (l, grad float64) {
	switch f := loss.(type) {
	case Logistic:
		l, grad, _ = f.Loss(z, row.y)
	case Squared:
		l, grad, _ = f.Loss(z, row.y)
	default:
		l, grad, _ = loss.Loss(z, row.y)
	}
	if keeps(row.kind, grad) {
		return 0, 0
	}
	return l, grad
}

// summarise names, for learners that keep no features squared, the columns that
// never occurred, and fills the report's weights.
func summarise(m, fitted *models.Linear, d *design, o *Options, t *tally, variance []float64, r *Report) {
	why := map[int]string{}
	var never, constant, low []string
	dense, tables, thin := len(m.Weights), 0, 0
	for c, f := range d.feature {
		if f == models.Bias {
			continue
		}
		if int(f) >= dense {
			switch {
			case t.support[c] == 0:
				tables++
			case t.support[c] < lowSupport:
				thin++
			}
			continue
		}
		switch {
		case t.support[c] == 0:
			why[c] = "never occurs in the training rows"
			never = append(never, m.Name(f))
		case variance != nil && variance[c] == 0:
			why[c] = "constant"
			constant = append(constant, m.Name(f))
		case t.support[c] < lowSupport && t.rows >= 10*lowSupport:
			low = append(low, m.Name(f))
		}
	}
	r.noteMany("never occur in the training rows, keep the prior weight", never)
	r.noteMany("constant, keep the prior weight", constant)
	r.noteMany("thin support", low)
	if len(m.Table) > 0 {
		r.note("of %d table weights %d never occur in the training rows and keep the prior weight, %d occur in fewer than %d", len(m.Table), tables, thin, lowSupport)
	}
	finish(m, fitted, d, o, t, nil, nil, nil, why, r)
}

// better tells whether a held-out loss is lower by more than rounding.
func better(now, best float64) bool {
	return math.IsInf(best, 1) || now < best-1e-9*math.Abs(best)
}
