package learn

import (
	"context"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/internal/dense"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/inference"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
	"plyfit/models"
)

// Newton fits any smooth loss by Newton's method with halved steps, one pass
// over the rows a step: for the logistic loss that is iteratively reweighted
// least squares, done in four to eight steps. It needs features squared; for
// more features see [LBFGS] and [AdaGrad].
//
// It starts at the prior. Where wins and losses can be told apart without error, by
// all weights or by some of them, those have no finite best value: a penalty holds
// them where it will, and the report names them and gives no standard error; see
// [Weight].Separated.
type Newton struct {
	Options
	Loss      loss.Function // nil: Logistic{} of labels in [0, 1]
	Steps     int           // at most; 0: 50
	Tolerance float64       // stops where a step promises to lower the mean loss by less, relatively; 0: 1e-10
}

var _ Learner = Newton{}

func (l Newton) Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error) {
	var r Report
	o := &l.Options
	if err := o.Check(m); err != nil {
		return r, err
	}
	d, err := design.New(m, o.Frozen, design.MaxColumns)
	if err != nil {
		return r, err
	}
	criterion, steps, tolerance := l.Loss, l.Steps, l.Tolerance
	if criterion == nil {
		criterion = loss.Logistic{}
	}
	if steps == 0 {
		steps = 50
	}
	if tolerance == 0 {
		tolerance = 1e-10
	}
	n := d.Width()
	prior := d.Priors(o.Prior)
	w := append([]float64(nil), prior...)
	fitted := m.Clone()

	// The first pass sums the design as well, for what it says of the columns.
	t, squares := newEvidence(n), numeric.NewGram(n)
	pass := func(first bool) (g *numeric.Gram, total float64, err error) {
		d.Store(fitted, w)
		g = numeric.NewGram(n)
		pass := design.Rescan
		if first {
			pass = design.Scan
		}
		err = pass(ctx, data, m, o.split(), func(s *datasets.Sample, held bool) error {
			if held {
				return nil
			}
			cols, vals, z := d.Row(s.X)
			for k, c := range cols {
				z += float64(w[c] * vals[k])
			}
			v, grad, hess := design.Bounded(criterion, z, s)
			total += float64(s.Weight * v)
			g.Add(cols, vals, s.Weight*hess, s.Weight*grad)
			if first {
				t.Add(s, cols, vals, criterion)
				squares.Add(cols, vals, s.Weight, 0)
			}
			return nil
		})
		if err == nil && t.Rows == 0 {
			err = design.ErrNoRows
		}
		return g, total, err
	}
	g, total, err := pass(true)
	if err != nil {
		return r, err
	}
	r.Steps = 1
	xx, _ := squares.Sum()
	variance := d.Variances(xx, t.Weight)
	f := numeric.Cholesky(xx, n, numeric.Collinear)
	penalised := o.Penalty >= design.TinyPenalty
	solvable := make([]bool, n)
	for _, c := range f.Kept {
		solvable[c] = true
	}
	for c, v := range variance {
		solvable[c] = solvable[c] || penalised && v > 0
	}

	penalty := func() float64 {
		sum := 0.0
		for j, v := range variance {
			sum += float64(v * (w[j] - prior[j]) * (w[j] - prior[j]))
		}
		return float64(o.Penalty * t.Weight * sum)
	}
	objective := total + penalty()
	var hessian *numeric.Factor
	var curve, slope []float64 // of the loss alone, at w
	converged := false
	for {
		h, grad := g.Sum()
		curve, slope = append(curve[:0], h...), append(slope[:0], grad...)
		for j, v := range variance {
			h[j*n+j] += float64(2 * o.Penalty * t.Weight * v)
			grad[j] += float64(2 * o.Penalty * t.Weight * v * (w[j] - prior[j]))
		}
		for j, ok := range solvable {
			if !ok {
				for i := range n {
					h[i*n+j], h[j*n+i] = 0, 0
				}
			}
		}
		hessian = numeric.Cholesky(h, n, 1e-13)
		step := hessian.Solve(grad)
		promise := dense.Dot(step, grad) / 2
		if promise <= tolerance*math.Max(math.Abs(objective), 1e-300) || r.Steps > steps {
			converged = promise <= tolerance*math.Max(math.Abs(objective), 1e-300)
			break
		}
		start := append([]float64(nil), w...)
		better := false
		for size := 1.0; size > 1e-6 && !better; size /= 2 {
			copy(w, start)
			dense.AddScaled(w, -size, step)
			if g, total, err = pass(false); err != nil {
				return r, err
			}
			r.Steps++
			if now := total + penalty(); now < objective {
				objective, better = now, true
			}
		}
		if !better { // at the floor of rounding
			copy(w, start)
			converged = true
			break
		}
	}
	if !converged {
		r.note("not converged after %d passes: labels may be separable, or the design too thin; a penalty helps", r.Steps)
	}
	if err := design.Finite(d, w); err != nil {
		return r, err
	}
	d.Store(fitted, w)
	why := explain(d, t, f, hessian, variance, &r)
	var b *inference.Bread
	if !o.NoErrors && n <= maxErrorsCols && len(m.Weights) > 0 {
		b = inference.BreadOf(hessian, 1)
	}
	if !o.NoErrors {
		t.sides = inference.NewSides(d, criterion)
	}
	errs, err := assess(ctx, data, fitted, o, criterion, d, t, b, &r)
	if err != nil {
		return r, err
	}
	alone := t.sides.Alone(t.Support)
	columns := inference.TrueAt(alone)
	if l, ok := inference.LogisticOf(criterion); ok && b != nil {
		h, g := curve, slope
		if criterion != loss.Function(l) {
			h, g = nil, nil // of another loss
		}
		certain := false
		if columns, certain, err = inference.Separated(ctx, data, fitted, o.split(), d, l, alone, f, w, h, g); err != nil {
			return r, err
		}
		if !certain {
			r.note("whether some combination of columns tells results without error was not found out in %d steps: where weights are large, their intervals may mean nothing", inference.SeparationSteps)
		}
	}
	if b != nil && o.Penalty > 0 {
		finite := slices.DeleteFunc(slices.Clone(f.Kept), func(c int) bool { return slices.Contains(columns, c) })
		t.shift = inference.ShiftOf(b, numeric.Submatrix(curve, n, finite), numeric.Subvector(slope, finite), finite, variance, 2*o.Penalty*t.Weight)
	}
	explainSeparated(d, o, alone, columns, why, t, &r)
	finish(m, fitted, d, o, t, f, xx, errs, why, &r)
	return r, nil
}
