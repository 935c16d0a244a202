package learn

import (
	"context"
	"fmt"
	"math"
	"strings"

	"plyfit/datasets"
	"plyfit/models"
)

// Ridge is least squares, shrunk toward a prior: it minimises the mean of
// (w.x - y)^2 plus [Options].Penalty, exactly, from one pass over the rows that
// sums X'WX and X'Wy, and another that judges the result. A design too ill-
// conditioned for normal equations costs one more pass, a QR factorisation by
// blocks of rows. The zero value is ordinary least squares.
//
// It fits the weighted sum itself: a model whose link is not the identity is
// fitted as if it were, so labels should then have gone through Link.Inverse.
// Samples that are only bounds are skipped, and counted in the notes.
type Ridge struct {
	Options
	// Orthogonal solves by QR whatever the design's condition.
	Orthogonal bool
}

var _ Learner = Ridge{}

// Thresholds for the share of its sum of squares that a column adds to those
// before it. Sums of products carry about 1e-13 of relative rounding.
const (
	collinear     = 1e-10 // below, normal equations cannot tell the column apart
	illCondition  = 1e-7  // below, its weight is better found by QR
	collinearQR   = 1e-20 // below, nor can QR: 1e-10 of the column's length
	tinyPenalty   = 1e-9  // a penalty below this does not settle collinear columns
	maxColumnsQR  = 1024
	maxErrorsCols = 1024
)

func (l Ridge) Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error) {
	var r Report
	o := &l.Options
	if err := o.check(m); err != nil {
		return r, err
	}
	d, err := newDesign(m, o, maxColumns)
	if err != nil {
		return r, err
	}
	g, t := NewGram(d.width()), newTally(d.width())
	err = scan(ctx, data, m, o, func(s *datasets.Sample, held bool) error {
		if held {
			return nil
		}
		if s.Kind != exact {
			t.bounds++
			return nil
		}
		cols, vals, offset := d.row(s.X)
		t.add(s, cols, vals, Squared{})
		g.Add(cols, vals, s.Weight, s.Weight*(s.Y-offset))
		return nil
	})
	if err != nil {
		return r, err
	}
	if t.rows == 0 {
		return r, ErrNoRows
	}
	if t.bounds > 0 {
		r.note("%d samples were only bounds of a value and were skipped", t.bounds)
	}
	xx, xy := g.Sum()
	n := d.width()
	prior := d.priors(o)
	variance := d.variances(xx, t.weight)
	f := cholesky(xx, n, collinear)
	r.Steps = 1
	ill := f.thin < illCondition
	for _, c := range f.lost {
		ill = ill || len(c.parts) > 0 && variance[c.column] > 0
	}
	if l.Orthogonal && n > maxColumnsQR {
		return r, fmt.Errorf("learn: %d features, expected at most %d for QR; use normal equations, LBFGS or AdaGrad", n-1, maxColumnsQR)
	}
	var w []float64
	solved := f
	switch {
	case l.Orthogonal:
		if f, solved, w, err = l.byQR(ctx, m, data, d, prior, variance, t.weight); err != nil {
			return r, err
		}
		r.Steps = 2
	case o.Penalty >= tinyPenalty:
		a := penalised(xx, variance, o.Penalty*t.weight)
		solved = cholesky(a, n, 1e-14)
		w = solveAround(solved, xx, xy, prior)
	case ill && n <= maxColumnsQR:
		if f, solved, w, err = l.byQR(ctx, m, data, d, prior, variance, t.weight); err != nil {
			return r, err
		}
		r.Steps = 2
		r.note("ill-conditioned: solved by QR")
	default:
		if o.Penalty > 0 {
			solved = cholesky(penalised(xx, variance, o.Penalty*t.weight), n, collinear)
		}
		w = solveAround(solved, xx, xy, prior)
	}
	if err := finite(d, w); err != nil {
		return r, err
	}
	fitted := m.Clone()
	d.store(fitted, w)
	why := explain(d, t, f, solved, variance, &r)
	var b *bread
	if !o.NoErrors && n <= maxErrorsCols && len(m.Weights) > 0 {
		b = solved.bread(2) // the Hessian of a square is twice X'WX
	}
	if b != nil && o.Penalty > 0 {
		t.shift = shifted(b, among(xx, n, f.kept), residual(xx, xy, w, f.kept), f.kept, variance, 2*o.Penalty*t.weight)
	}
	errs, err := assess(ctx, data, fitted, o, Squared{}, d, t, b, &r)
	if err != nil {
		return r, err
	}
	finish(m, fitted, d, o, t, f, xx, errs, why, &r)
	return r, nil
}

// byQR is the solution by QR, from one more pass: the factor of the design, that of
// what was solved, the penalty included, and the weights.
func (l Ridge) byQR(ctx context.Context, m *models.Linear, data datasets.Samples, d *design, prior, variance []float64, total float64) (design, solved *factor, w []float64, err error) {
	q, err := l.orthogonalise(ctx, m, data, d, prior)
	if err != nil {
		return nil, nil, nil, err
	}
	design, w = q.solve(collinearQR)
	solved = design
	if l.Penalty > 0 {
		q.penalise(variance, l.Penalty*total)
		solved, w = q.solve(collinearQR)
	}
	for j := range w {
		w[j] += prior[j]
	}
	return design, solved, w, nil
}

// solveAround solves A (w - prior) = X'Wy - X'WX prior, f being the factor of
// A. Columns that f lost keep the prior.
func solveAround(f *factor, xx, xy, prior []float64) []float64 {
	n := f.n
	b := append([]float64(nil), xy...)
	for j, p := range prior {
		if p != 0 {
			for i := range b {
				b[i] -= float64(xx[i*n+j] * p)
			}
		}
	}
	w := f.solve(b)
	for j := range w {
		w[j] += prior[j]
	}
	return w
}

// penalised is xx plus scale times the variances on the diagonal.
func penalised(xx, variance []float64, scale float64) []float64 {
	a := append([]float64(nil), xx...)
	for j, v := range variance {
		a[j*len(variance)+j] += float64(scale * v)
	}
	return a
}

func finite(d *design, w []float64) error {
	for j, v := range w {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("learn: the weight of %s came out as %v", d.m.Name(d.feature[j]), v)
		}
	}
	return nil
}

// explain says of every column that is not identified why, by column, and sums
// it up in the notes. f is the factor of the design itself, solved that of what
// was solved, the penalty included.
func explain(d *design, t *tally, f, solved *factor, variance []float64, r *Report) map[int]string {
	why := map[int]string{}
	fitted := map[int]bool{}
	for _, c := range solved.kept {
		fitted[c] = true
	}
	var never, constant, combined, low []string
	for _, c := range f.lost {
		name := d.m.Name(d.feature[c.column])
		switch {
		case c.column == d.bias:
			why[c.column] = "no bias column in the data"
		case t.support[c.column] == 0 || len(c.parts) == 0:
			why[c.column] = "never occurs in the training rows"
			never = append(never, name)
		case variance[c.column] == 0:
			why[c.column] = "constant"
			constant = append(constant, name)
		default:
			parts := d.names(c.parts)
			if len(parts) > 4 {
				parts = append(parts[:4:4], "...")
			}
			of := "a combination of " + strings.Join(parts, ", ")
			if fitted[c.column] {
				of += ": told apart by the penalty alone"
				t.share(c)
				for _, p := range c.parts {
					if why[p] == "" {
						why[p] = "repeated by " + name + ": told apart by the penalty alone"
					}
				}
			}
			why[c.column] = of
			combined = append(combined, name+" ("+of+")")
		}
	}
	for c := range t.support {
		if s := t.support[c]; s > 0 && s < lowSupport && t.rows >= 10*lowSupport && why[c] == "" {
			low = append(low, fmt.Sprintf("%s (%d rows)", d.m.Name(d.feature[c]), s))
		}
	}
	r.noteMany("never occur in the training rows, keep the prior weight", never)
	r.noteMany("constant, keep the prior weight", constant)
	r.noteMany("collinear, keep the prior weight unless the penalty tells them apart", combined)
	r.noteMany("thin support", low)
	return why
}

// finish writes the fitted weights into m and into the report, with the errors of
// those that the data determine.
func finish(m, fitted *models.Linear, d *design, o *Options, t *tally, f *factor, xx, errs []float64, why map[int]string, r *Report) {
	n := d.width()
	for c := range errs {
		if t.separated[c] || t.shared[c] {
			errs[c] = 0
		}
	}
	for _, c := range t.lone {
		if why[c] == "" {
			why[c] = "rests on one episode: no interval"
		}
	}
	explainShifts(d, fitted, errs, why, t.shift, r)
	var vif []float64
	if f != nil && xx != nil && n <= maxErrorsCols && !o.NoErrors {
		vif = inflation(d, f, xx)
	}
	copy(m.Weights, fitted.Weights)
	copy(m.Table, fitted.Table)
	m.Bias = fitted.Bias
	m.Errors, m.BiasError = nil, 0
	if errs != nil {
		m.Errors = make([]float64, len(m.Weights))
		for i := range m.Errors {
			m.Errors[i] = math.NaN()
			if c := d.column[i+1]; c >= 0 && errs[c] > 0 {
				m.Errors[i] = errs[c]
			}
		}
		if d.bias >= 0 {
			m.BiasError = errs[d.bias]
		}
	}
	r.Weights = r.Weights[:0]
	for i := models.Bias; i < int32(len(m.Weights)); i++ {
		w := Weight{Name: m.Name(i), Index: i, Value: m.Weight(i), Prior: o.prior(i), Note: "frozen"}
		if c := d.column[i+1]; c >= 0 {
			w.Support, w.Note, w.Separated = t.support[c], why[int(c)], t.separated[int(c)]
			if errs != nil {
				w.Error, w.Freedom = errs[c], t.freedom[c]
			}
			if vif != nil {
				w.VIF = vif[c]
			}
		}
		r.Weights = append(r.Weights, w)
	}
}

// inflation is the variance inflation factor of every column that f keeps: its
// square about the bias times the diagonal of the inverse. The bias has none.
func inflation(d *design, f *factor, xx []float64) []float64 {
	n, k := d.width(), len(f.kept)
	out := make([]float64, n)
	inv := f.inverse()
	for i, c := range f.kept {
		if c == d.bias {
			continue
		}
		v := xx[c*n+c]
		if d.bias >= 0 && xx[d.bias*n+d.bias] > 0 {
			v -= xx[c*n+d.bias] * xx[c*n+d.bias] / xx[d.bias*n+d.bias]
		}
		out[c] = math.Max(v*inv[i*k+i], 1)
	}
	return out
}
