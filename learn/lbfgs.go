package learn

import (
	"context"
	"math"

	"plyfit/datasets"
	"plyfit/models"
)

// LBFGS fits any smooth loss over many features by the quasi-Newton method of
// Liu and Nocedal (1989), with a gradient that is summed while the rows stream by:
// memory for some thirty-five numbers per feature. An iteration costs one pass over the
// rows, as a rule: the length of its step is guessed from the curvature that the
// first few thousand rows see, where that is far from one.
//
// It starts at the prior. Features outside of tables are scaled to unit second
// moment first, since their units differ; a table's as if each stood in a hundred
// rows more, so that few steps leave rare patterns near their prior. Collinear columns need no
// handling: the method never leaves the span of what it saw. Columns that never
// occur or never vary keep the prior weight. There are no standard errors.
type LBFGS struct {
	Options
	Loss  Loss // nil: Logistic{} of labels in [0, 1]
	Steps int  // iterations, at most; 0: 100
	// Patience stops after so many iterations without a lower held-out loss, and
	// gives back the best weights; 0: no early stopping. The held-out loss of the
	// report is then that of rows that chose: see [Report].Best for how to avoid it.
	Patience int
	Cache    int64 // bytes of rows kept in memory; 0: 256 MB. Others are read anew each pass.
}

var _ Learner = LBFGS{}

func (l LBFGS) Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error) {
	var r Report
	o := &l.Options
	if err := o.check(m); err != nil {
		return r, err
	}
	d, err := newDesign(m, o.Frozen, math.MaxInt32)
	if err != nil {
		return r, err
	}
	loss, limit := l.Loss, l.Cache
	if loss == nil {
		loss = Logistic{}
	}
	if limit == 0 {
		limit = 256 << 20
	}
	t := newEvidence(d.width())
	store := &rowStore{ctx: ctx, data: data, m: m, sp: o.split(), d: d, loss: loss}
	mo, err := store.open(t.tally, limit)
	if err != nil {
		return r, err
	}
	variance := mo.variances(d, t.weight)
	problem := newFused(store, t.tally, mo, variance, d.priors(o.Prior), o.Penalty)
	problem.judgeHeld = l.Patience > 0
	x := l.minimise(problem, &r)
	if problem.err != nil {
		return r, problem.err
	}
	w := problem.weights(x)
	if err := finite(d, w); err != nil {
		return r, err
	}
	fitted := m.Clone()
	d.store(fitted, w)
	if !o.NoErrors {
		t.sides = newSides(d, loss)
	}
	if _, err := assess(ctx, data, fitted, o, loss, d, t, nil, &r); err != nil {
		return r, err
	}
	summarise(m, fitted, d, o, t, variance, &r)
	return r, nil
}

// minimise returns the best point found, nil where a pass failed.
func (l LBFGS) minimise(problem *fused, r *Report) []float64 {
	most := l.Steps
	if most == 0 {
		most = 100
	}
	x := make([]float64, len(problem.w))
	best, bestLoss, since := []float64(nil), math.Inf(1), 0
	err := (&descent{value: problem.value, curve: problem.curve, most: most, pairs: 8, step: func(x []float64) error {
		r.Steps++
		if l.Patience == 0 || problem.heldWeight == 0 {
			return nil
		}
		if better(problem.heldLoss, bestLoss) {
			best, bestLoss, since = append(best[:0], x...), problem.heldLoss, 0
			r.Best = r.Steps
		} else if since++; since >= l.Patience {
			return errStopped
		}
		return nil
	}}).minimise(x)
	switch {
	case err == errFloor:
		r.note("the optimizer stopped: %v", err)
	case err != nil && err != errStopped:
		problem.err = err
		return nil
	}
	if best != nil {
		return best
	}
	return x
}

// fused computes the mean loss and its gradient in one pass, in scaled
// coordinates around the prior: w = prior + scale*x.
type fused struct {
	store                *rowStore
	loss                 Loss
	weight               float64
	prior, scale         []float64
	penal                []float64 // penalty by column, per unit of x squared
	w, grad, dir         []float64 // by column, not scaled
	z                    []float64 // of a chunk's rows
	judgeHeld            bool      // held-out rows, too
	heldLoss, heldWeight float64
	passes               int
	err                  error
}

func newFused(store *rowStore, t *tally, mo *moments, variance, prior []float64, penalty float64) *fused {
	n := store.d.width()
	p := &fused{store: store, loss: store.loss, weight: t.weight, prior: prior, scale: make([]float64, n), penal: make([]float64, n), w: tableOf(n), grad: tableOf(n), z: make([]float64, chunkRows)}
	dense := int32(len(store.m.Weights))
	for c, f := range store.d.feature {
		switch {
		case c != store.d.bias && variance[c] == 0:
			p.scale[c] = 0 // keeps the prior
		case f < dense && mo.column[c].square > 0:
			p.scale[c] = 1 / math.Sqrt(mo.column[c].square/t.weight)
		case f >= dense:
			p.scale[c] = math.Sqrt(t.weight / (mo.column[c].square + lowSupport))
		default:
			p.scale[c] = 1
		}
		p.penal[c] = penalty * variance[c] * p.scale[c] * p.scale[c]
	}
	return p
}

// tableOf is n zeros, with room for all that sixteen bits can index.
func tableOf(n int) []float64 { return make([]float64, max(n, narrow))[:n] }

func (p *fused) weights(x []float64) []float64 {
	w := make([]float64, len(x))
	for j := range w {
		w[j] = p.prior[j] + float64(p.scale[j]*x[j])
	}
	return w
}

// value makes the pass for x.
func (p *fused) value(x, grad []float64) (float64, error) {
	for j := range p.w {
		p.w[j] = p.prior[j] + float64(p.scale[j]*x[j])
	}
	blank := largest(p.w) == 0 // the start, as a rule
	clear(p.grad)
	p.passes++
	var sum, weight [2]float64 // of training and of held-out rows
	err := p.store.read(p.judgeHeld, func(c *chunk, held bool) {
		z := p.z[:c.len()]
		if blank {
			c.offsets(z)
		} else {
			c.dots(z, p.w)
		}
		s, w := c.judge(p.loss, z)
		sum[which(held)] += s
		weight[which(held)] += w
		if !held {
			c.addTo(p.grad, z)
		}
	})
	f := sum[0] / p.weight
	if p.heldWeight = weight[1]; p.heldWeight > 0 {
		p.heldLoss = sum[1] / p.heldWeight
	}
	for j, v := range x {
		f += float64(p.penal[j] * v * v)
		grad[j] = p.grad[j]*p.scale[j]/p.weight + float64(2*p.penal[j]*v)
	}
	return f, err
}

// curve estimates the second derivative of the loss along dir at the last
// point, from some of the rows.
func (p *fused) curve(dir []float64) (float64, error) {
	if p.dir == nil {
		p.dir = tableOf(len(dir))
	}
	d := p.dir
	for j, v := range dir {
		d[j] = p.scale[j] * v
	}
	sum, weight := 0.0, 0.0
	err := p.store.some(func(c *chunk) {
		z := make([]float64, c.len())
		c.dots(z, p.w)
		along := p.z[:c.len()]
		c.dots(along, d)
		for i, v := range along {
			if c.share != nil {
				_, _, h := p.loss.Loss(z[i], 0)
				sum, weight = sum+float64(h*v*v), weight+1
				continue
			}
			row := &c.rows[i]
			if _, g, h := p.loss.Loss(z[i], row.y); !keeps(row.kind, g) {
				v -= row.offset
				sum += float64(row.weight * h * v * v)
			}
			weight += row.weight
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

// better tells whether a held-out loss is lower by more than rounding.
func better(now, best float64) bool {
	return math.IsInf(best, 1) || now < best-float64(1e-9*math.Abs(best))
}
