package learn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
	"plyfit/models"
)

// LBFGS fits any smooth loss over many features by the quasi-Newton method of Liu and Nocedal
// (1989). It sums the gradient while reading rows, and stores about thirty-five numbers per
// feature. An iteration usually costs a single pass. If a unit step seems unsuitable, the step
// length is estimated from the curvature over the first few thousand rows.
//
// The fit starts at the prior. Features outside tables are scaled to unit second moment, because
// their units differ. Features in a table are scaled as if each of them occurred in a hundred
// additional rows, so that rare patterns stay near their prior after a few steps. Collinear columns
// need no special treatment, because steps stay in the span of the rows. Columns that never occur
// or never vary keep the prior weight. There are no standard errors.
type LBFGS struct {
	Options
	Loss  loss.Function // nil means Logistic{} with labels in [0, 1]
	Steps int           // maximum number of iterations; 0 means 100
}

var _ Learner = LBFGS{}

func (l LBFGS) Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error) {
	var r Report
	f, err := l.begin(ctx, m, math.MaxInt32, &r)
	if err != nil {
		return r, err
	}
	criterion := cmp.Or[loss.Function](l.Loss, loss.Logistic{})
	if err := f.open(data, criterion, nil); err != nil {
		return r, err
	}
	defer f.rows.Close()
	problem, err := newObjective(f, criterion)
	if err != nil {
		return r, err
	}
	x := l.minimise(problem, &r)
	if problem.err != nil {
		return r, problem.err
	}
	if err := f.store(problem.weights(x)); err != nil {
		return r, err
	}
	if !l.NoErrors {
		f.directions = design.NewDirections(f.design, criterion)
	}
	if _, err = f.assess(data, criterion, nil); err == nil {
		f.summarise()
	}
	return r, err
}

// minimise returns the best point found, or nil if a pass failed.
func (l LBFGS) minimise(problem *objective, r *Report) []float64 {
	most := cmp.Or(l.Steps, 100)
	x := make([]float64, len(problem.prior))
	err := (&numeric.QuasiNewton{Value: problem.value, Curve: problem.curve, Iterations: most, Pairs: 8, Step: func() { r.Steps++ }}).Minimise(x)
	switch {
	case err == numeric.ErrFloor:
		r.note("the optimizer stopped: %v", err)
	case err != nil:
		problem.err = err
		return nil
	}
	return x
}

// objective computes the mean loss and its gradient in one pass. The coordinates x are scaled and
// relative to the prior: w = prior + scale*x.
type objective struct {
	*fitting
	loss         loss.Function
	prior, scale []float64 // by column
	penal        []float64 // penalty by column, per unit of x squared
	w, grad, dir []float64 // by feature number plus 1, not scaled
	z, along     []float64 // sums over a chunk's rows
	passes       int
	err          error
}

// newObjective reads the rows once to compute the variances of their columns.
func newObjective(f *fitting, criterion loss.Function) (*objective, error) {
	mo, err := f.rows.Moments(f.ctx)
	if err != nil {
		return nil, err
	}
	f.variance = mo.Variances(f.design, f.Weight)
	d, m, n, all := f.design, f.model, f.design.Width(), f.model.Len()+1
	p := &objective{fitting: f, loss: criterion, prior: d.Priors(f.Prior), scale: make([]float64, n), penal: make([]float64, n), w: tableOf(all), grad: tableOf(all), dir: tableOf(all)}
	p.z, p.along = make([]float64, design.ChunkRows), make([]float64, design.ChunkRows)
	for _, feature := range f.Frozen {
		p.w[feature+1] = m.Weight(feature)
	}
	for c, feature := range d.Feature {
		square := mo.Column[feature+1].Square
		f.Support[c] = mo.Support[feature+1]
		switch {
		case c != d.Bias && f.variance[c] == 0:
			p.scale[c] = 0 // keeps the prior
		case int(feature) < len(m.Weights) && square > 0:
			p.scale[c] = 1 / math.Sqrt(square/f.Weight)
		case int(feature) >= len(m.Weights):
			p.scale[c] = math.Sqrt(f.Weight / (square + lowSupport))
		default:
			p.scale[c] = 1
		}
		p.penal[c] = f.penalty() * f.variance[c] * p.scale[c] * p.scale[c]
	}
	return p, nil
}

// tableOf returns a slice of n zeros with enough capacity for any sixteen-bit index.
func tableOf(n int) []float64 { return make([]float64, max(n, design.Narrow))[:n] }

// weights returns the weights at x, by column.
func (p *objective) weights(x []float64) []float64 {
	w := make([]float64, len(x))
	for c := range w {
		w[c] = p.prior[c] + float64(p.scale[c]*x[c])
	}
	return w
}

func (p *objective) value(x, grad []float64) (float64, error) {
	features := p.design.Feature
	for c, f := range features {
		p.w[f+1] = p.prior[c] + float64(p.scale[c]*x[c])
	}
	blank := numeric.Largest(p.w) == 0 // usually true only at the start
	clear(p.grad)
	p.passes++
	sum := 0.0
	err := p.rows.Read(p.ctx, math.MaxInt, func(c *design.Chunk) {
		z := p.z[:c.Len()]
		if clear(z); !blank {
			c.Dots(z, p.w)
		}
		sum += c.Gradients(p.loss, z)
		c.AddTo(p.grad, z)
	})
	f := sum / p.Weight
	for j, v := range x {
		f += float64(p.penal[j] * v * v)
		grad[j] = p.grad[features[j]+1]*p.scale[j]/p.Weight + float64(2*p.penal[j]*v)
	}
	return f, err
}

// curve estimates the second derivative of the loss in the direction dir at the last point. It uses
// only the first rows.
func (p *objective) curve(dir []float64) (float64, error) {
	for c, f := range p.design.Feature {
		p.dir[f+1] = p.scale[c] * dir[c]
	}
	sum, weight := 0.0, 0.0
	err := p.rows.Read(p.ctx, 16, func(c *design.Chunk) {
		z, along := p.z[:c.Len()], p.along[:c.Len()]
		c.Dots(z, p.w)
		c.Dots(along, p.dir)
		sum, weight = c.Curve(p.loss, z, along, sum, weight)
	})
	if weight == 0 {
		return 0, err
	}
	c := sum / weight
	for j, v := range dir {
		c += float64(2 * p.penal[j] * v * v)
	}
	return c, err
}

// If there are many rows in memory, fitting a sixteenth of them first reduces the number of passes
// over all rows to two or three. Without this first fit, six to eight passes are needed.
const (
	partOf    = 16      // a power of two
	leastRows = 1 << 17 // minimum number of rows for which the first fit is worthwhile
)

// approach moves the weights to the minimum over some of the training rows. It leaves them
// unchanged if this is not possible or not worthwhile.
func (f *newtonFit) approach() error {
	if !f.rows.InMemory() || f.counted || f.rows.StoreLen() < leastRows {
		return nil
	}
	part, of, tally := *f, *f.fitting, *f.Tally
	part.fitting, of.Tally = &of, &tally
	of.report, of.fitted, part.w = new(Report), f.model.Clone(), slices.Clone(f.prior)
	part.steps, part.tolerance = 12, 1e-6
	of.rows = f.rows.Part(func(i int) bool { return game.Mix(uint64(i))%partOf == 0 })
	if tally.Rows = int64(of.rows.Len()); tally.Rows == 0 {
		return nil
	}
	tally.Weight = float64(tally.Rows) * f.Weight / float64(f.Rows)
	part.draw = slices.Clone(f.draw)
	for c := range part.draw {
		part.draw[c] /= partOf
	}
	first, err := part.scan()
	if err != nil {
		return err
	}
	// Weights of rare columns may diverge, because the results in their few rows may agree by
	// chance.
	for c, support := range part.Support {
		part.solvable[c] = part.solvable[c] && support >= lowSupport
	}
	converged, err := part.descend(first)
	if err != nil {
		return err
	}
	if f.approached = converged && design.Finite(f.design, part.w) == nil; f.approached {
		f.w = part.w
	}
	return nil
}
