package inference

import (
	"context"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
	"plyfit/models"
)

// Separation of logistic fits: where some combination of columns never errs about
// the results (x.d >= 0 in all won rows, <= 0 in all lost ones, 0 in drawn ones,
// and not 0 in all), the likelihood grows without end along d and the weights in d
// have no finite estimate: complete or quasi-complete separation (Albert and
// Anderson, On the existence of maximum likelihood estimates in logistic regression
// models, Biometrika 71, 1984). What a penalty or a last step leaves of such a
// weight is its own, and no standard error describes it (Heinze and Schemper,
// Statistics in Medicine 21, 2002).
//
// Three things are asked, the cheapest first:
//
//  1. Columns that are separated alone: their rows all allow the weight to grow, or
//     all to fall. Exact, counted on the way. Rows in which such a column is not zero
//     are told without error in the limit, so the question is asked again of the
//     others (Geyer, Likelihood inference in exponential families and directions of
//     recession, EJS 3, 2009: the limiting conditional model).
//  2. Whether the rows that are left overlap. By Stiemke's lemma they do if positive
//     multipliers a exist with sum of a_i s_i x_i = 0 over rows with result s_i.
//     One unpenalised step of Newton's method is the proof: its multipliers are
//     those of the step's linear model and are positive where no row's sum moves
//     toward its result by as much as the row's slope would have it at most.
//  3. Where the step proves nothing, further steps either come to overlap or run
//     along a direction of separation, which is then checked row by row. Rows off
//     it are set aside, and the question is asked of the others.

// ends says which ways the sum of a row can go on for ever without more loss.
type ends uint8

const (
	upward ends = 1 << iota
	downward
)

// endsOf is for a label that is the share q of the point, or a bound of it.
func endsOf(q float64, kind int8) (e ends) {
	if q >= 1 || kind == design.Lower {
		e |= upward
	}
	if q <= 0 || kind == design.Upper {
		e |= downward
	}
	return e
}

// turned is e for a weight whose feature is negative.
func (e ends) turned() ends { return e>>1 | e<<1&downward }

// Sides keeps, for every column, the ways its weight could go by all rows so far.
type Sides struct {
	d     *design.Matrix
	share func(y float64) float64
	way   []ends
}

// NewSides is nil for losses that no weight can satisfy at infinity.
func NewSides(d *design.Matrix, criterion loss.Function) *Sides {
	l, ok := LogisticOf(criterion)
	if !ok {
		return nil
	}
	s := &Sides{d: d, share: l.Probability, way: make([]ends, d.Width())}
	s.clear()
	return s
}

// LogisticOf is the logistic loss of the same labels and link, where the link
// has ends.
func LogisticOf(criterion loss.Function) (l loss.Logistic, ok bool) {
	switch c := criterion.(type) {
	case loss.Logistic:
		return c, true
	case loss.Squared:
		if c.Link.Kind == models.Logistic || c.Link.Kind == models.Tanh {
			return loss.ForLink(c.Link, c.Lo, c.Hi), true
		}
	}
	return l, false
}

func (s *Sides) clear() {
	for c := range s.way {
		s.way[c] = upward | downward
	}
}

// Add takes a training row.
func (s *Sides) Add(row *datasets.Sample) {
	e := endsOf(s.share(row.Y), int8(row.Kind))
	turned := e.turned()
	for _, t := range row.X {
		c := s.d.Column[t.Index+1]
		switch {
		case c < 0:
		case t.Value > 0:
			s.way[c] &= e
		case t.Value < 0:
			s.way[c] &= turned
		}
	}
}

// Alone tells the columns that are separated by themselves, of those that occur;
// a nil s knows of none.
func (s *Sides) Alone(support []int64) []bool {
	out := make([]bool, len(support))
	if s != nil {
		for c, w := range s.way {
			out[c] = w != 0 && support[c] > 0
		}
	}
	return out
}

// separation looks for directions along which a logistic fit has no maximum.
type separation struct {
	ctx  context.Context
	data datasets.Samples
	m    *models.Linear
	sp   *design.Split
	d    *design.Matrix
	loss loss.Logistic
	full *numeric.Factor // of the whole design

	aside      []bool      // columns whose rows are told without error in the limit
	directions [][]float64 // the same of combinations
	kept       []bool      // a basis of the columns, by the rows that are left
	finite     []bool      // columns that take part in no direction
	w          []float64   // where the next step begins
	step       []float64   // nil: none yet
	size       float64     // share of step that w holds
	sides      *Sides      // of the rows left
}

// Limits of the search.
const (
	SeparationSteps = 48   // of Newton's method, at most
	separationFirst = 10   // steps on the same rows before a direction is looked for
	separatedMoves  = 0.05 // how far a separated row's sum moves in a step, at least, where others stand
	offDirection    = 1e-6 // what a sum moves along a direction, at least, in rows that it tells
	overlapMargin   = 0.9  // of the longest move that leaves a multiplier positive
)

// Separated returns the columns whose weights have no finite estimate, and whether
// that is all there are. alone are those separated by themselves, f is the factor of
// the design, w where the fit ended; hessian and grad are those of the total logistic
// loss there, the penalty left out, or nil.
func Separated(ctx context.Context, data datasets.Samples, m *models.Linear, sp *design.Split, d *design.Matrix, criterion loss.Logistic, alone []bool, f *numeric.Factor, w, hessian, grad []float64) (columns []int, certain bool, err error) {
	n := d.Width()
	s := &separation{
		ctx: ctx, data: data, m: m, sp: sp, d: d, loss: criterion, full: f, w: append([]float64(nil), w...),
		aside: make([]bool, n), kept: make([]bool, n), finite: make([]bool, n), sides: NewSides(d, criterion),
	}
	for _, c := range f.Kept {
		s.kept[c], s.finite[c] = true, true
	}
	copy(s.aside, alone)
	if certain, err = s.search(hessian, grad); err != nil {
		return nil, false, err
	}
	for _, c := range f.Kept {
		if s.aside[c] || !s.finite[c] {
			columns = append(columns, c)
		}
	}
	return columns, certain, nil
}

// search goes on until the rows left are proved to overlap.
func (s *separation) search(hessian, grad []float64) (certain bool, err error) {
	fresh := hessian == nil || slices.Contains(s.aside, true) // rows were set aside since the last pass
	previous, since, all := math.Inf(1), 0, false
	if !fresh {
		all = s.solve(hessian, grad)
		s.advance()
	}
	for range SeparationSteps {
		p, err := s.pass(fresh)
		if err != nil {
			return false, err
		}
		if p.rows == 0 {
			clear(s.finite)
			return true, nil
		}
		if fresh {
			s.identify(p.design)
			fresh, previous, since, all = false, math.Inf(1), 0, false
		}
		for c, way := range s.sides.way {
			if way != 0 && s.finite[c] && !s.aside[c] {
				s.aside[c], fresh = true, true
			}
		}
		switch {
		case fresh:
			s.rest()
			continue
		case p.proved && all:
			return true, nil
		case p.loss > previous && s.size > 1e-3: // too far
			s.shorten()
			continue
		}
		previous = p.loss
		h, g := p.hessian.Sum()
		all = s.solve(h, g)
		if since++; since > separationFirst && since%3 == 0 {
			if fresh, err = s.direction(); err != nil {
				return false, err
			}
			if fresh {
				s.step = nil
				continue
			}
		}
		s.advance()
	}
	return false, nil
}

// solve finds the step of Newton's method; all: over all columns of the basis.
func (s *separation) solve(hessian, grad []float64) (all bool) {
	n, count := len(s.kept), 0
	h := append([]float64(nil), hessian...)
	for j, ok := range s.kept {
		if ok {
			count++
			continue
		}
		for i := range n {
			h[i*n+j], h[j*n+i] = 0, 0
		}
	}
	f := numeric.Cholesky(h, n, 1e-13)
	s.step = f.Solve(grad)
	for j := range s.step {
		s.step[j] = -s.step[j]
	}
	s.size = 0
	return len(f.Kept) == count
}

// advance takes the step, shorten half of what was taken, rest none of it.
func (s *separation) advance() { s.move(1) }
func (s *separation) shorten() { s.move(float64(s.size / 2)) }
func (s *separation) rest() {
	s.move(0)
	s.step = nil
}

func (s *separation) move(size float64) {
	for j, v := range s.step {
		s.w[j] += float64((size - s.size) * v)
	}
	s.size = size
}

// rows walks over the training rows that are left and whose labels ask anything.
func (s *separation) rows(visit func(row *datasets.Sample, e ends, cols []int32, vals []float64, offset float64)) error {
	return design.Rescan(s.ctx, s.data, s.m, s.sp, func(row *datasets.Sample, held bool) error {
		e := endsOf(s.loss.Probability(row.Y), int8(row.Kind))
		if held || e == upward|downward {
			return nil
		}
		cols, vals, offset := s.d.Row(row.X)
		for k, c := range cols {
			if s.aside[c] && vals[k] != 0 {
				return nil
			}
		}
		for _, d := range s.directions {
			if math.Abs(along(d, cols, vals)) > offDirection {
				return nil
			}
		}
		visit(row, e, cols, vals, offset)
		return nil
	})
}

// overlapPass is what a walk over the rows left gives.
type overlapPass struct {
	rows    int64
	loss    float64
	hessian *numeric.Gram
	design  *numeric.Gram // of unit weights; nil unless asked for
	proved  bool          // the step before proves overlap
}

// pass sums the rows left at w, and asks whether the step that led there proves
// that they overlap.
func (s *separation) pass(identify bool) (overlapPass, error) {
	n := len(s.kept)
	p := overlapPass{hessian: numeric.NewGram(n), proved: s.step != nil}
	if identify {
		p.design = numeric.NewGram(n)
	}
	s.sides.clear()
	err := s.rows(func(row *datasets.Sample, e ends, cols []int32, vals []float64, offset float64) {
		p.rows++
		if identify {
			p.design.Add(cols, vals, 1, 0)
		}
		s.sides.Add(row)
		z := offset + along(s.w, cols, vals)
		v, grad, hess := design.Bounded(s.loss, z, row)
		p.loss += float64(row.Weight * v)
		p.hessian.Add(cols, vals, row.Weight*hess, row.Weight*grad)
		if e != 0 && p.proved {
			moved := along(s.step, cols, vals)
			_, grad, hess = design.Bounded(s.loss, z-float64(s.size*moved), row)
			p.proved = positive(row, grad, hess, moved)
		}
	})
	return p, err
}

// positive reports whether the multiplier of a row stays positive under a step that
// moves its sum by moved, grad and hess being those before it. A bound that was kept
// has no multiplier, and needs none.
func positive(row *datasets.Sample, grad, hess, moved float64) bool {
	if row.Kind != design.Exact && grad == 0 {
		return true
	}
	return grad < 0 && moved*hess < -overlapMargin*grad || grad > 0 && -moved*hess < overlapMargin*grad
}

// along is what weights w make of a row.
func along(w []float64, cols []int32, vals []float64) float64 {
	z := 0.0
	for k, c := range cols {
		z += float64(w[c] * vals[k])
	}
	return z
}

// identify finds a basis of the columns by the design of the rows left, and the
// columns that are not determined there, though they are by all rows.
func (s *separation) identify(g *numeric.Gram) (f *numeric.Factor, xx []float64) {
	n := len(s.kept)
	clear(s.kept)
	for _, c := range s.full.Kept {
		s.kept[c], s.finite[c] = true, true
	}
	xx, _ = g.Sum()
	for j, ok := range s.kept {
		if !ok {
			for i := range n {
				xx[i*n+j], xx[j*n+i] = 0, 0
			}
		}
	}
	f = numeric.Cholesky(xx, n, numeric.Collinear)
	clear(s.kept)
	for _, c := range f.Kept {
		s.kept[c] = true
	}
	for _, l := range f.Lost {
		s.finite[l.Column] = false
		for _, c := range l.Parts {
			s.finite[c] = false
		}
	}
	return f, xx
}

// direction takes the rows whose sums the step still moves toward their results for
// separated, and asks whether some combination of columns tells them without a
// fault and is zero in all others. If so, it is remembered.
func (s *separation) direction() (found bool, err error) {
	rest, separated := numeric.NewGram(len(s.kept)), int64(0)
	err = s.rows(func(_ *datasets.Sample, e ends, cols []int32, vals []float64, _ float64) {
		if moved := along(s.step, cols, vals); e == upward && moved > separatedMoves || e == downward && moved < -separatedMoves {
			separated++
			return
		}
		rest.Add(cols, vals, 1, 0)
	})
	if err != nil || separated == 0 {
		return false, err
	}
	kept, finite := slices.Clone(s.kept), slices.Clone(s.finite)
	f, xx := s.identify(rest)
	s.kept, s.finite = kept, finite // until it is certain
	if slices.Equal(f.Kept, TrueAt(kept)) {
		return false, nil
	}
	// What of the step the other rows do not see.
	n := len(kept)
	seen := make([]float64, n)
	for i := range seen {
		seen[i] = numeric.Dot(xx[i*n:(i+1)*n], s.step)
	}
	d := append([]float64(nil), s.step...)
	for j, v := range f.Solve(seen) {
		d[j] -= v
	}
	ok, off := true, int64(0)
	err = s.rows(func(_ *datasets.Sample, e ends, cols []int32, vals []float64, _ float64) {
		v := along(d, cols, vals)
		if math.Abs(v) <= offDirection {
			return
		}
		off++
		ok = ok && (e == upward && v > 0 || e == downward && v < 0)
	})
	if err != nil || !ok || off == 0 {
		return false, err
	}
	s.directions = append(s.directions, d)
	return true, nil
}

// TrueAt are the indices of what is true, ascending.
func TrueAt(x []bool) (at []int) {
	for i, v := range x {
		if v {
			at = append(at, i)
		}
	}
	return at
}
