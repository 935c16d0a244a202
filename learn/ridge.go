package learn

import (
	"context"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
	"plyfit/models"
)

// Ridge is least squares with shrinkage towards a prior. It minimises the mean of (w.x - y)^2 plus
// [Options].Penalty exactly. One pass sums X'WX and X'Wy, and another pass measures the result. The
// notes list nearly collinear features, whose weights are less accurate because they are computed
// from sums of products. The zero value is ordinary least squares.
//
// Ridge fits the weighted sum itself. If the link is not the identity, apply Link.Inverse to the
// labels first. Samples that are only bounds are skipped and counted in the notes.
type Ridge struct {
	Options
}

var _ Learner = Ridge{}

const maxErrorsCols = 1024

func (l Ridge) Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error) {
	var r Report
	f, err := l.begin(ctx, m, design.MaxColumns, &r)
	if err != nil {
		return r, err
	}
	err = f.open(data, loss.Squared{}, func(s *datasets.Sample) bool {
		if s.Kind != game.Exact {
			f.Bounds++
		}
		return s.Kind == game.Exact
	})
	if err != nil {
		return r, err
	}
	defer f.rows.Close()
	total, err := f.rows.Sum(ctx, design.Question{})
	if err != nil {
		return r, err
	}
	if f.Bounds > 0 {
		r.note("%d samples contain only a bound on the value and were skipped", f.Bounds)
	}
	d, n := f.design, f.design.Width()
	r.Steps, f.Support, f.xx, f.variance = 1, total.Support, total.XX, d.Variances(total.XX, f.Weight)
	f.factor = numeric.Cholesky(f.xx, n, numeric.Collinear)
	solved := f.factor // includes the penalty
	if l.Penalty > 0 {
		solved = design.Factored(f.xx, f.variance, l.Penalty, f.Weight)
	}
	w := solveAround(solved, f.xx, total.XY, d.Priors(l.Prior))
	if err := f.store(w); err != nil {
		return r, err
	}
	f.explain(solved.Columns)
	r.noteMany("features nearly repeat each other, so that rounding leaves only about three digits of these weights; leave one of them out, or set --penalty 1e-6", d.Names(solved.Near))
	var b *design.Bread
	if !l.NoErrors && n <= maxErrorsCols && len(m.Weights) > 0 {
		b = design.BreadOf(solved, 2) // the Hessian of the squared loss is twice X'WX
	}
	if kept := f.factor.Columns; b != nil && l.Penalty > 0 {
		residual := list.Map(kept, func(c int) float64 { return numeric.Dot(f.xx[c*n:c*n+n], w) - total.XY[c] }) // X'WX w - X'Wy
		f.shift = design.ShiftOf(b, numeric.Submatrix(f.xx, n, kept), residual, kept, f.variance, 2*l.Penalty*f.Weight)
	}
	errs, err := f.assess(data, loss.Squared{}, b)
	if err == nil {
		f.finish(errs)
	}
	return r, err
}

// solveAround solves A (w - prior) = X'Wy - X'WX prior, where f contains the factored matrix A.
// Columns lost in f keep the prior.
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
