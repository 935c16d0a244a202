package learn

import (
	"cmp"
	"context"
	"math"

	"plyfit/datasets"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
	"plyfit/models"
)

// LBFGS fits any smooth loss over many features by the quasi-Newton method of Liu and Nocedal
// (1989). It sums the gradient while rows stream by and keeps about thirty-five numbers a feature.
// An iteration usually costs one pass: the step length is guessed from the curvature over the
// first few thousand rows if that is far from one.
//
// It starts at the prior. Features outside tables are scaled to unit second moment, since their
// units differ; a table's as if each occurred in a hundred rows more, so that few steps leave rare
// patterns near their prior. Collinear columns need no handling, since steps stay in the span of
// the rows. Columns that never occur or never vary keep the prior weight. There are no standard
// errors.
type LBFGS struct {
	Options
	Loss  loss.Function // nil: Logistic{} of labels in [0, 1]
	Steps int           // iterations, at most; 0: 100
	Cache int64         // bytes of rows kept in memory; 0: 256 MB. Others are read anew each pass.
}

var _ Learner = LBFGS{}

func (l LBFGS) Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error) {
	var r Report
	o := &l.Options
	d, err := o.matrix(m, math.MaxInt32)
	if err != nil {
		return r, err
	}
	criterion, limit := cmp.Or[loss.Function](l.Loss, loss.Logistic{}), cmp.Or(l.Cache, 256<<20)
	t := newEvidence(d.Width())
	store := &design.RowStore{Ctx: ctx, Data: data, Model: m, Split: o.split(), Matrix: d, Loss: criterion}
	mo, err := store.Open(t.Tally, limit)
	if err != nil {
		return r, err
	}
	variance := mo.Variances(d, t.Weight)
	problem := newObjective(store, t.Tally, mo, variance, d.Priors(o.Prior), o.penalty())
	x := l.minimise(problem, &r)
	if problem.err != nil {
		return r, problem.err
	}
	w := problem.weights(x)
	if err := design.Finite(d, w); err != nil {
		return r, err
	}
	fitted := m.Clone()
	d.Store(fitted, w)
	if !o.NoErrors {
		t.sides = design.NewSides(d, criterion)
	}
	if _, err := assess(ctx, data, fitted, o, criterion, d, t, nil, &r); err != nil {
		return r, err
	}
	summarise(m, fitted, d, o, t, variance, &r)
	return r, nil
}

// minimise returns the best point found, nil where a pass failed.
func (l LBFGS) minimise(problem *objective, r *Report) []float64 {
	most := cmp.Or(l.Steps, 100)
	x := make([]float64, len(problem.w))
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

// objective computes the mean loss and its gradient in one pass, in scaled coordinates around the
// prior: w = prior + scale*x.
type objective struct {
	store        *design.RowStore
	loss         loss.Function
	weight       float64
	prior, scale []float64
	penal        []float64 // penalty by column, per unit of x squared
	w, grad, dir []float64 // by column, not scaled
	z            []float64 // of a chunk's rows
	passes       int
	err          error
}

func newObjective(store *design.RowStore, t *design.Tally, mo *design.Moments, variance, prior []float64, penalty float64) *objective {
	n := store.Matrix.Width()
	p := &objective{store: store, loss: store.Loss, weight: t.Weight, prior: prior, scale: make([]float64, n), penal: make([]float64, n), w: tableOf(n), grad: tableOf(n), z: make([]float64, design.ChunkRows)}
	dense := int32(len(store.Model.Weights))
	for c, f := range store.Matrix.Feature {
		switch {
		case c != store.Matrix.Bias && variance[c] == 0:
			p.scale[c] = 0 // keeps the prior
		case f < dense && mo.Column[c].Square > 0:
			p.scale[c] = 1 / math.Sqrt(mo.Column[c].Square/t.Weight)
		case f >= dense:
			p.scale[c] = math.Sqrt(t.Weight / (mo.Column[c].Square + lowSupport))
		default:
			p.scale[c] = 1
		}
		p.penal[c] = penalty * variance[c] * p.scale[c] * p.scale[c]
	}
	return p
}

// tableOf is n zeros, with room for all that sixteen bits can index.
func tableOf(n int) []float64 { return make([]float64, max(n, design.Narrow))[:n] }

func (p *objective) weights(x []float64) []float64 {
	w := make([]float64, len(x))
	for j := range w {
		w[j] = p.prior[j] + float64(p.scale[j]*x[j])
	}
	return w
}

func (p *objective) value(x, grad []float64) (float64, error) {
	for j := range p.w {
		p.w[j] = p.prior[j] + float64(p.scale[j]*x[j])
	}
	blank := numeric.Largest(p.w) == 0 // the start, as a rule
	clear(p.grad)
	p.passes++
	sum := 0.0
	err := p.store.Read(func(c *design.Chunk) {
		z := p.z[:c.Len()]
		if blank {
			c.Offsets(z)
		} else {
			c.Dots(z, p.w)
		}
		sum += c.Gradients(p.loss, z)
		c.AddTo(p.grad, z)
	})
	f := sum / p.weight
	for j, v := range x {
		f += float64(p.penal[j] * v * v)
		grad[j] = p.grad[j]*p.scale[j]/p.weight + float64(2*p.penal[j]*v)
	}
	return f, err
}

// curve estimates the second derivative of the loss along dir at the last point, from some rows.
func (p *objective) curve(dir []float64) (float64, error) {
	if p.dir == nil {
		p.dir = tableOf(len(dir))
	}
	d := p.dir
	for j, v := range dir {
		d[j] = p.scale[j] * v
	}
	sum, weight := 0.0, 0.0
	err := p.store.Sample(func(c *design.Chunk) {
		z := make([]float64, c.Len())
		c.Dots(z, p.w)
		along := p.z[:c.Len()]
		c.Dots(along, d)
		for i, v := range along {
			if c.Share != nil {
				_, _, h := p.loss.Loss(z[i], 0)
				sum, weight = sum+float64(h*v*v), weight+1
				continue
			}
			row := &c.Rows[i]
			if _, g, h := p.loss.Loss(z[i], row.Y); !design.Satisfied(row.Kind, g) {
				v -= row.Offset
				sum += float64(row.Weight * h * v * v)
			}
			weight += row.Weight
		}
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
