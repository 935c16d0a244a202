package learn

import (
	"context"
	"fmt"

	"plyfit/datasets"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/inference"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
	"plyfit/models"
)

// Ridge is least squares, shrunk toward a prior: it minimises the mean of
// (w.x - y)^2 plus [Options].Penalty, exactly, from one pass over the rows that
// sums X'WX and X'Wy, and another that measures the result. A design too ill-
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
	illCondition  = 1e-7 // below, its weight is better found by QR
	maxColumnsQR  = 1024
	maxErrorsCols = 1024
)

func (l Ridge) Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error) {
	var r Report
	o := &l.Options
	if err := o.Check(m); err != nil {
		return r, err
	}
	d, err := design.New(m, o.Frozen, design.MaxColumns)
	if err != nil {
		return r, err
	}
	g, t := numeric.NewGram(d.Width()), newEvidence(d.Width())
	err = design.Scan(ctx, data, m, o.split(), func(s *datasets.Sample, held bool) error {
		if held {
			return nil
		}
		if s.Kind != design.Exact {
			t.Bounds++
			return nil
		}
		cols, vals, offset := d.Row(s.X)
		t.Add(s, cols, vals, loss.Squared{})
		g.Add(cols, vals, s.Weight, s.Weight*(s.Y-offset))
		return nil
	})
	if err != nil {
		return r, err
	}
	if t.Rows == 0 {
		return r, design.ErrNoRows
	}
	if t.Bounds > 0 {
		r.note("%d samples were only bounds of a value and were skipped", t.Bounds)
	}
	xx, xy := g.Sum()
	n := d.Width()
	prior := d.Priors(o.Prior)
	variance := d.Variances(xx, t.Weight)
	f := numeric.Cholesky(xx, n, numeric.Collinear)
	r.Steps = 1
	ill := f.Thin < illCondition
	for _, c := range f.Lost {
		ill = ill || len(c.Parts) > 0 && variance[c.Column] > 0
	}
	if l.Orthogonal && n > maxColumnsQR {
		return r, fmt.Errorf("learn: %d features, expected at most %d for QR; use normal equations, LBFGS or AdaGrad", n-1, maxColumnsQR)
	}
	var w []float64
	solved := f
	switch {
	case l.Orthogonal:
		if f, solved, w, err = l.byQR(ctx, m, data, d, prior, variance, t.Weight); err != nil {
			return r, err
		}
		r.Steps = 2
	case o.Penalty >= design.TinyPenalty:
		a := design.Penalised(xx, variance, o.Penalty*t.Weight)
		solved = numeric.Cholesky(a, n, 1e-14)
		w = solveAround(solved, xx, xy, prior)
	case ill && n <= maxColumnsQR:
		if f, solved, w, err = l.byQR(ctx, m, data, d, prior, variance, t.Weight); err != nil {
			return r, err
		}
		r.Steps = 2
		r.note("ill-conditioned: solved by QR")
	default:
		if o.Penalty > 0 {
			solved = numeric.Cholesky(design.Penalised(xx, variance, o.Penalty*t.Weight), n, numeric.Collinear)
		}
		w = solveAround(solved, xx, xy, prior)
	}
	if err := design.Finite(d, w); err != nil {
		return r, err
	}
	fitted := m.Clone()
	d.Store(fitted, w)
	why := explain(d, t, f, solved, variance, &r)
	var b *inference.Bread
	if !o.NoErrors && n <= maxErrorsCols && len(m.Weights) > 0 {
		b = inference.BreadOf(solved, 2) // the Hessian of a square is twice X'WX
	}
	if b != nil && o.Penalty > 0 {
		t.shift = inference.ShiftOf(b, numeric.Submatrix(xx, n, f.Kept), numeric.Residual(xx, xy, w, f.Kept), f.Kept, variance, 2*o.Penalty*t.Weight)
	}
	errs, err := assess(ctx, data, fitted, o, loss.Squared{}, d, t, b, &r)
	if err != nil {
		return r, err
	}
	finish(m, fitted, d, o, t, f, xx, errs, why, &r)
	return r, nil
}

// byQR is the solution by QR, from one more pass: the factor of the design, that of
// what was solved, the penalty included, and the weights.
func (l Ridge) byQR(ctx context.Context, m *models.Linear, data datasets.Samples, d *design.Matrix, prior, variance []float64, total float64) (whole, solved *numeric.Factor, w []float64, err error) {
	q, err := l.orthogonalise(ctx, m, data, d, prior)
	if err != nil {
		return nil, nil, nil, err
	}
	whole, w = q.Factor(numeric.CollinearQR)
	solved = whole
	if l.Penalty > 0 {
		q.Penalise(variance, l.Penalty*total)
		solved, w = q.Factor(numeric.CollinearQR)
	}
	for j := range w {
		w[j] += prior[j]
	}
	return whole, solved, w, nil
}

// solveAround solves A (w - prior) = X'Wy - X'WX prior, f being the factor of
// A. Columns that f lost keep the prior.
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

// orthogonalise makes the QR pass of a fit: labels less what the prior says.
func (l Ridge) orthogonalise(ctx context.Context, m *models.Linear, data datasets.Samples, d *design.Matrix, prior []float64) (*numeric.QR, error) {
	q := numeric.NewQR(d.Width())
	err := design.Rescan(ctx, data, m, l.Options.split(), func(s *datasets.Sample, held bool) error {
		if held || s.Kind != design.Exact {
			return nil
		}
		cols, vals, y := d.Row(s.X)
		for k, c := range cols {
			y += float64(vals[k] * prior[c])
		}
		q.Add(cols, vals, s.Y-y, s.Weight)
		return nil
	})
	return q, err
}
