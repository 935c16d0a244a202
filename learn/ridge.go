package learn

import (
	"context"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
	"plyfit/models"
)

// Ridge is least squares, shrunk toward a prior: it minimises the mean of (w.x - y)^2 plus
// [Options].Penalty exactly, with one pass that sums X'WX and X'Wy and one that measures the
// result. The notes name nearly collinear features, whose weights lose digits to the sums of
// products. The zero value is ordinary least squares.
//
// It fits the weighted sum itself: for a link other than the identity, labels should have gone
// through Link.Inverse. Samples that are only bounds are skipped, and counted in the notes.
type Ridge struct {
	Options
}

var _ Learner = Ridge{}

const maxErrorsCols = 1024

func (l Ridge) Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error) {
	var r Report
	o := &l.Options
	d, err := o.matrix(m, design.MaxColumns)
	if err != nil {
		return r, err
	}
	n := d.Width()
	t := newEvidence(n)
	e, err := l.sum(ctx, data, d, t, &r)
	if err != nil {
		return r, err
	}
	defer t.rows.Close()
	factor := numeric.Cholesky(e.xx, n, numeric.Collinear) // of the design
	solved := factor                                       // the penalty included
	if l.Penalty > 0 {
		solved = design.Factored(e.xx, e.variance, l.Penalty, e.weight)
	}
	w := solveAround(solved, e.xx, e.xy, e.prior)
	if err := design.Finite(d, w); err != nil {
		return r, err
	}
	fitted := m.Clone()
	d.Store(fitted, w)
	why := explain(d, t, factor, solved, e.variance, &r)
	r.noteMany("features nearly repeat each other, so that rounding leaves these weights about three digits; leave one of them out, or set --penalty 1e-6", d.Names(solved.Near))
	var b *design.Bread
	if !o.NoErrors && n <= maxErrorsCols && len(m.Weights) > 0 {
		b = design.BreadOf(solved, 2) // the Hessian of a square is twice X'WX
	}
	if kept := factor.Kept; b != nil && o.Penalty > 0 {
		t.shift = design.ShiftOf(b, numeric.Submatrix(e.xx, n, kept), numeric.Residual(e.xx, e.xy, w, kept), kept, e.variance, 2*o.Penalty*e.weight)
	}
	errs, err := assess(ctx, data, fitted, o, loss.Squared{}, d, t, b, &r)
	if err != nil {
		return r, err
	}
	finish(m, fitted, d, o, t, factor, e.xx, errs, why, &r)
	return r, nil
}

// normalEquations are the sums of a pass over the training rows, and what follows from them.
type normalEquations struct {
	xx, xy   []float64 // X'WX and X'Wy
	weight   float64   // of the rows
	prior    []float64
	variance []float64 // of columns
}

func (l Ridge) sum(ctx context.Context, data datasets.Samples, d *design.Matrix, t *evidence, r *Report) (*normalEquations, error) {
	rows, err := design.OpenRows(ctx, data, d, l.split(), l.Workers, t.Tally, loss.Squared{}, func(s *datasets.Sample) bool {
		if s.Kind != game.Exact {
			t.Bounds++
		}
		return s.Kind == game.Exact
	})
	if err != nil {
		return nil, err
	}
	total, err := rows.Sum(ctx, design.Question{})
	if err != nil {
		return nil, err
	}
	t.Support, t.rows = total.Support, rows
	if t.Bounds > 0 {
		r.note("%d samples were only bounds of a value and were skipped", t.Bounds)
	}
	r.Steps = 1
	e := &normalEquations{xx: total.XX, xy: total.XY, weight: t.Weight, prior: d.Priors(l.Prior)}
	e.variance = d.Variances(e.xx, t.Weight)
	return e, nil
}

// solveAround solves A (w - prior) = X'Wy - X'WX prior, f being the factor of A. Columns that f
// lost keep the prior.
func solveAround(f *numeric.Factor, xx, xy, prior []float64) []float64 {
	n := f.N
	b := append([]float64(nil), xy...)
	for j, p := range prior {
		if p != 0 {
			for i := range b {
				b[i] -= float64(xx[i*n+j] * p)
			}
		}
	}
	w := f.Solve(b)
	for j := range w {
		w[j] += prior[j]
	}
	return w
}
