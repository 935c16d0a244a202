package learn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/internal/dense"
	"plyfit/internal/list"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
	"plyfit/models"
)

// Newton fits any smooth loss by Newton's method with step halving. Each full or halved step takes
// one pass. For the logistic loss this is iteratively reweighted least squares, which usually takes
// four to eight steps. Memory grows with the square of the number of features. For many features,
// use [LBFGS].
//
// The fit starts at the prior. If a feature separates wins from losses, its weight has no finite
// optimum and only a penalty limits it. The report lists such weights and gives them no standard
// errors. See [Weight].Separated.
type Newton struct {
	Options
	Loss      loss.Function // nil means Logistic{} with labels in [0, 1]
	Steps     int           // no step begins after more than this number of passes; 0 means 50
	Tolerance float64       // the fit stops if the predicted relative decrease in the objective is at most this; 0 means 1e-10
}

var _ Learner = Newton{}

func (l Newton) Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error) {
	var r Report
	f, err := l.start(ctx, m, data, &r)
	if err != nil {
		return r, err
	}
	defer f.rows.Close()
	if err := f.approach(); err != nil {
		return r, err
	}
	first, err := f.scan()
	if err != nil {
		return r, err
	}
	converged, err := f.descend(first)
	if err != nil {
		return r, err
	}
	if !converged {
		r.note("not converged after %d passes: labels may be separable, or the design too thin; a penalty helps", r.Steps)
	}
	if err := f.store(f.w); err != nil {
		return r, err
	}
	err = f.conclude(data)
	return r, err
}

type newtonFit struct {
	*fitting
	loss       loss.Function
	steps      int
	tolerance  float64
	counted    bool // Steps is set, so each step must be a pass over all rows
	approached bool // the fit starts at the minimum over some of the rows

	prior, w []float64 // by column
	draw     []float64 // for each weight, the factor of its squared distance in the cost of its normal prior; nil if there are no normal priors
	solvable []bool    // columns determined by the data or the penalty

	// The following fields are evaluated at w: the factored matrix of the objective's second
	// derivatives, and the derivatives of the loss alone.
	hessian      *numeric.Factor
	curve, slope []float64
}

// start returns a fit whose weights are at the prior. No sums have been computed yet.
func (l Newton) start(ctx context.Context, m *models.Linear, data datasets.Samples, r *Report) (*newtonFit, error) {
	of, err := l.begin(ctx, m, design.MaxColumns, r)
	if err != nil {
		return nil, err
	}
	d := of.design
	f := &newtonFit{
		fitting: of, loss: cmp.Or[loss.Function](l.Loss, loss.Logistic{}), steps: cmp.Or(l.Steps, 50), tolerance: cmp.Or(l.Tolerance, 1e-10),
		prior: d.Priors(l.Prior), w: d.Priors(l.Prior), counted: l.Steps != 0,
	}
	if l.Width != nil {
		f.draw = make([]float64, d.Width())
		for c, feature := range d.Feature {
			if w := l.Width(feature); w > 0 {
				f.draw[c] = max(1, l.Repeated) / (2 * w * w)
			}
		}
	}
	if err := f.open(data, f.loss, nil); err != nil {
		return nil, err
	}
	return f, f.rows.ByShare()
}

// scan computes the first sums. It also sums the design matrix so that the columns can be checked.
func (f *newtonFit) scan() (first *design.Sum, err error) {
	n := f.design.Width()
	if first, err = f.pass(true); err != nil {
		return nil, err
	}
	f.Support, f.xx = first.Support, first.Design
	f.variance = f.design.Variances(f.xx, f.Weight)
	f.factor = numeric.Cholesky(f.xx, n, numeric.Collinear)
	f.solvable = make([]bool, n)
	for _, c := range f.factor.Columns {
		f.solvable[c] = true
	}
	for c, v := range f.variance {
		f.solvable[c] = f.solvable[c] || v > 0 && (f.Penalty >= design.TinyPenalty || f.draw != nil && f.draw[c] > 0)
	}
	return first, nil
}

// pass sums the loss and its first and second derivatives at w. If first is set, it also sums the
// design matrix.
func (f *newtonFit) pass(first bool) (*design.Sum, error) {
	f.design.Store(f.fitted, f.w)
	f.report.Steps++
	return f.rows.Sum(f.ctx, design.Question{Loss: f.loss, Weights: f.w, Design: first})
}

// priorCost returns the cost of the penalty and of the normal priors at w.
func (f *newtonFit) priorCost() float64 {
	sum := 0.0
	for j, v := range f.variance {
		sum += float64(v * (f.w[j] - f.prior[j]) * (f.w[j] - f.prior[j]))
	}
	sum = float64(f.penalty() * f.Weight * sum)
	for j, d := range f.draw {
		sum += float64(d * (f.w[j] - f.prior[j]) * (f.w[j] - f.prior[j]))
	}
	return sum
}

// descend takes Newton steps, starting from the sums of the first pass. It reports whether the
// steps converged.
func (f *newtonFit) descend(at *design.Sum) (converged bool, err error) {
	objective := at.Loss + f.priorCost()
	for {
		grad := f.differentiate(at)
		step := f.hessian.Solve(grad)
		promise := dense.Dot(step, grad) / 2
		if promise <= f.tolerance*math.Max(math.Abs(objective), 1e-300) {
			if f.approached {
				// The step is too small to change the loss measurably, but it removes the error
				// that the first phase left.
				dense.AddScaled(f.w, -1, step)
			}
			return true, nil
		}
		if f.report.Steps > f.steps {
			return false, nil
		}
		start, better := slices.Clone(f.w), false
		for size := 1.0; size > 1e-6 && !better; size /= 2 {
			copy(f.w, start)
			dense.AddScaled(f.w, -size, step)
			if at, err = f.pass(false); err != nil {
				return false, err
			}
			if now := at.Loss + f.priorCost(); now < objective {
				objective, better = now, true
			}
		}
		if !better { // no further decrease beyond rounding errors
			copy(f.w, start)
			return true, nil
		}
	}
}

// differentiate sets the derivatives at w from the sums of a pass, without the second derivatives
// of columns that cannot be solved for. It returns the gradient of the objective.
func (f *newtonFit) differentiate(at *design.Sum) (grad []float64) {
	n := f.design.Width()
	h, grad := at.XX, at.XY
	f.curve, f.slope = append(f.curve[:0], h...), append(f.slope[:0], grad...)
	for j, v := range f.variance {
		h[j*n+j] += float64(2 * f.penalty() * f.Weight * v)
		grad[j] += float64(2 * f.penalty() * f.Weight * v * (f.w[j] - f.prior[j]))
	}
	for j, d := range f.draw {
		h[j*n+j] += float64(2 * d)
		grad[j] += float64(2 * d * (f.w[j] - f.prior[j]))
	}
	for j, ok := range f.solvable {
		if !ok {
			for i := range n {
				h[i*n+j], h[j*n+i] = 0, 0
			}
		}
	}
	f.hessian = numeric.Cholesky(h, n, 1e-13)
	return grad
}

// conclude measures the fitted weights and their standard errors, and writes them to the model and
// the report.
func (f *newtonFit) conclude(data datasets.Samples) error {
	n := f.design.Width()
	f.explain(f.hessian.Columns)
	var b *design.Bread
	if !f.NoErrors {
		f.directions = design.NewDirections(f.design, f.loss)
		if n <= maxErrorsCols && len(f.model.Weights) > 0 {
			b = design.BreadOf(f.hessian, 1)
		}
	}
	errs, err := f.assess(data, f.loss, b)
	if err != nil {
		return err
	}
	separated := slices.DeleteFunc(f.directions.Alone(f.Support), func(c int) bool { return !slices.Contains(f.factor.Columns, c) })
	if b != nil && (f.Penalty > 0 || f.draw != nil) {
		finite := slices.DeleteFunc(slices.Clone(f.factor.Columns), func(c int) bool { return slices.Contains(separated, c) })
		size, scale := f.variance, 2*f.penalty()*f.Weight
		if f.draw != nil {
			size = slices.Clone(f.draw)
			for c, v := range f.variance {
				size[c] = float64(2*size[c]) + float64(scale*v)
			}
			scale = 1
		}
		slope := list.Map(finite, func(c int) float64 { return f.slope[c] })
		f.shift = design.ShiftOf(b, numeric.Submatrix(f.curve, n, finite), slope, finite, size, scale)
	}
	f.canSeparate = true
	f.explainSeparated(separated)
	f.finish(errs)
	return nil
}
