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
	vals  []float32 // nil where every value is 1
	rows  []storedRow
}

const chunkRows = 4096

type storedRow struct {
	offset, y, weight float64
	kind              int8
	held              bool
}

// read walks over all rows.
func (s *rowStore) read(visit func(cols []int32, vals []float32, row *storedRow)) error {
	if s.kept {
		for _, c := range s.chunks {
			if err := s.ctx.Err(); err != nil {
				return err
			}
			for i := range c.rows {
				a, b := c.start[i], c.start[i+1]
				if c.vals == nil {
					visit(c.cols[a:b], nil, &c.rows[i])
				} else {
					visit(c.cols[a:b], c.vals[a:b], &c.rows[i])
				}
			}
		}
		return nil
	}
	var cols []int32
	var vals []float32
	return rescan(s.ctx, s.data, s.m, s.o, func(x *datasets.Sample, held bool) error {
		row := storedRow{y: x.Y, weight: x.Weight, kind: int8(x.Kind), held: held}
		cols, vals = cols[:0], vals[:0]
		ones := true
		for _, t := range x.X {
			c := s.d.column[t.Index+1]
			if c < 0 {
				row.offset += s.m.Weight(t.Index) * float64(t.Value)
				continue
			}
			cols, vals = append(cols, c), append(vals, t.Value)
			ones = ones && t.Value == 1
		}
		if ones {
			visit(cols, nil, &row)
		} else {
			visit(cols, vals, &row)
		}
		return nil
	})
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
	seal := func() {
		c := chunk{start: slices.Clone(at.start), cols: slices.Clone(at.cols), rows: slices.Clone(at.rows)}
		if slices.ContainsFunc(at.vals, func(v float32) bool { return v != 1 }) {
			c.vals = slices.Clone(at.vals)
		}
		bytes += 4*int64(len(c.start)+len(c.cols)+len(c.vals)) + 32*int64(len(c.rows))
		s.chunks = append(s.chunks, c)
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

// dotRow is the weighted sum over a stored row.
func dotRow(w []float64, cols []int32, vals []float32) float64 {
	if vals == nil {
		// Four sums, since one addition waits for the one before.
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
	z := 0.0
	vals = vals[:len(cols)]
	for k, c := range cols {
		z += w[c] * float64(vals[k])
	}
	return z
}

// addRow adds g times a stored row to dst.
func addRow(dst []float64, cols []int32, vals []float32, g float64) {
	if vals == nil {
		for _, c := range cols {
			dst[c] += g
		}
		return
	}
	vals = vals[:len(cols)]
	for k, c := range cols {
		dst[c] += g * float64(vals[k])
	}
}

// lossOf is bounded for a stored row; logistic and squared losses are called
// without an interface, since this is the inner loop.
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
