package learn

import (
	"context"
	"fmt"
	"slices"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/inference"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/internal/sums"
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
	n := d.Width()
	if l.Orthogonal && n > maxColumnsQR {
		return r, fmt.Errorf("learn: %d features, expected at most %d for QR; use normal equations, LBFGS or AdaGrad", n-1, maxColumnsQR)
	}
	t := newEvidence(n)
	e, err := l.sum(ctx, m, data, d, t, &r)
	if err != nil {
		return r, err
	}
	s, err := l.solve(ctx, m, data, d, e, &r)
	if err != nil {
		return r, err
	}
	if err := design.Finite(d, s.w); err != nil {
		return r, err
	}
	fitted := m.Clone()
	d.Store(fitted, s.w)
	why := explain(d, t, s.factor, s.solved, e.variance, &r)
	var b *inference.Bread
	if !o.NoErrors && n <= maxErrorsCols && len(m.Weights) > 0 {
		b = inference.BreadOf(s.solved, 2) // the Hessian of a square is twice X'WX
	}
	if kept := s.factor.Kept; b != nil && o.Penalty > 0 {
		t.shift = inference.ShiftOf(b, numeric.Submatrix(e.xx, n, kept), numeric.Residual(e.xx, e.xy, s.w, kept), kept, e.variance, 2*o.Penalty*e.weight)
	}
	errs, err := assess(ctx, data, fitted, o, loss.Squared{}, d, t, b, &r)
	if err != nil {
		return r, err
	}
	finish(m, fitted, d, o, t, s.factor, e.xx, errs, why, &r)
	return r, nil
}

// normalEquations are the sums of a pass over the training rows, and what follows
// from them.
type normalEquations struct {
	xx, xy   []float64 // X'WX and X'Wy
	weight   float64   // of the rows
	prior    []float64
	variance []float64 // of columns
}

// ridgeSolution is how the weights w were found.
type ridgeSolution struct {
	factor *numeric.Factor // of the design
	solved *numeric.Factor // of what was solved, the penalty included
	w      []float64
}

// sum makes the pass that sums the normal equations.
func (l Ridge) sum(ctx context.Context, m *models.Linear, data datasets.Samples, d *design.Matrix, t *evidence, r *Report) (*normalEquations, error) {
	passes := &sums.Passes{Columns: d.Width(), Workers: l.Workers}
	defer passes.Close()
	total, err := passes.Sum(ctx, sums.Question{}, func(add func(cols []int32, vals []float64, r sums.Row)) error {
		return design.Scan(ctx, data, m, l.split(), func(s *datasets.Sample, held bool) error {
			if held {
				return nil
			}
			if s.Kind != game.Exact {
				t.Bounds++
				return nil
			}
			cols, vals, offset := d.Row(s.X)
			t.Add(s, cols, vals, loss.Squared{})
			add(cols, vals, sums.Row{Y: s.Y, Weight: s.Weight, Offset: offset})
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	if t.Rows == 0 {
		return nil, design.ErrNoRows
	}
	if t.Bounds > 0 {
		r.note("%d samples were only bounds of a value and were skipped", t.Bounds)
	}
	r.Steps = 1
	e := &normalEquations{xx: total.XX, xy: total.XY, weight: t.Weight, prior: d.Priors(l.Prior)}
	e.variance = d.Variances(e.xx, t.Weight)
	return e, nil
}

// solve finds the weights: by the normal equations, or by QR and one more pass where
// they are too ill-conditioned.
func (l Ridge) solve(ctx context.Context, m *models.Linear, data datasets.Samples, d *design.Matrix, e *normalEquations, r *Report) (s ridgeSolution, err error) {
	n := d.Width()
	s.factor = numeric.Cholesky(e.xx, n, numeric.Collinear)
	ill := l.Penalty < design.TinyPenalty && n <= maxColumnsQR && e.ill(s.factor)
	if l.Orthogonal || ill {
		r.Steps = 2
		if !l.Orthogonal {
			r.note("ill-conditioned: solved by QR")
		}
		return l.byQR(ctx, m, data, d, e)
	}
	s.solved = s.factor
	if l.Penalty > 0 {
		s.solved = design.Factored(e.xx, e.variance, l.Penalty, e.weight)
	}
	s.w = solveAround(s.solved, e.xx, e.xy, e.prior)
	return s, nil
}

// ill reports whether sums of products lose too much of what f, their factor, is to
// tell of the design.
func (e *normalEquations) ill(f *numeric.Factor) bool {
	return f.Thin < illCondition || slices.ContainsFunc(f.Lost, func(c numeric.Lost) bool {
		return len(c.Parts) > 0 && e.variance[c.Column] > 0
	})
}

// byQR is the solution by QR, from one more pass.
func (l Ridge) byQR(ctx context.Context, m *models.Linear, data datasets.Samples, d *design.Matrix, e *normalEquations) (s ridgeSolution, err error) {
	q, err := l.orthogonalise(ctx, m, data, d, e.prior)
	if err != nil {
		return s, err
	}
	s.factor, s.w = q.Factor(numeric.CollinearQR)
	s.solved = s.factor
	if l.Penalty > 0 {
		q.Penalise(e.variance, l.Penalty*e.weight)
		s.solved, s.w = q.Factor(numeric.CollinearQR)
	}
	for j := range s.w {
		s.w[j] += e.prior[j]
	}
	return s, nil
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
	err := design.Rescan(ctx, data, m, l.split(), func(s *datasets.Sample, held bool) error {
		if held || s.Kind != game.Exact {
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
