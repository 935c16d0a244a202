package learn

import (
	"plyfit/internal/dense"
	"plyfit/models"
)

// RecursiveLSTD is [LSTD] a step at a time: it keeps A^-1 instead of A and
// corrects it by each transition (Sherman and Morrison 1950; RLS-TD of Xu, He
// and Hu 2002), so weights are at hand while games are still played. Features
// squared of work a step.
//
// A begins as Start times the identity, a ridge toward the prior that fades as
// steps come in: with the same ridge, LSTD gives the same weights.
type RecursiveLSTD struct {
	d       *design
	walk    *trace
	inverse []float64 // A^-1, row by row
	delta   []float64 // weights less prior
	prior   []float64
	left    []float64
	right   []float64
	steps   int64
}

// NewRecursiveLSTD prepares for m's features; Frozen and Prior of the options
// count, and start > 0 is the weight that the prior has against a step, in the
// square of features' units; 1 is usual. Errors are those of [LSTD].
func NewRecursiveLSTD(m *models.Linear, o Options, lambda, start float64) (*RecursiveLSTD, error) {
	if !(start > 0) || !(lambda >= 0 && lambda <= 1) {
		panic("learn: RecursiveLSTD needs start > 0 and lambda in [0, 1]")
	}
	if err := o.check(m); err != nil {
		return nil, err
	}
	d, err := newDesign(m.Clone(), &o, maxColumns)
	if err != nil {
		return nil, err
	}
	n := d.width()
	r := &RecursiveLSTD{d: d, walk: newTrace(d, lambda), prior: d.priors(&o), inverse: make([]float64, n*n), delta: make([]float64, n), left: make([]float64, n), right: make([]float64, n)}
	for i := range n {
		r.inverse[i*n+i] = 1 / start
	}
	return r, nil
}

// Step learns from one transition; those of an episode must come in time order.
// Features must lie in the model, as [Transition] says; it panics otherwise.
func (r *RecursiveLSTD) Step(s *Transition) {
	r.walk.step(s)
	if s.Weight == 0 {
		return
	}
	n := r.d.width()
	// A += e u' with u = x - next, so A^-1 -= (A^-1 e)(u' A^-1)/(1 + u' A^-1 e).
	clear(r.left)
	for _, c := range r.walk.touched {
		e := s.Weight * r.walk.e[c]
		for i := range n {
			r.left[i] += float64(e * r.inverse[i*n+int(c)])
		}
	}
	clear(r.right)
	surprise := r.walk.reward
	bottom := 1.0
	for k, c := range r.walk.diff {
		v := r.walk.dvals[k]
		dense.AddScaled(r.right, v, r.inverse[int(c)*n:int(c)*n+n])
		surprise -= float64(v * (r.delta[c] + r.prior[c]))
		bottom += float64(v * r.left[c])
	}
	if bottom < 1e-12 && bottom > -1e-12 {
		return // this step alone would make A singular
	}
	for i, l := range r.left {
		if l != 0 {
			dense.AddScaled(r.inverse[i*n:(i+1)*n], -l/bottom, r.right)
			r.delta[i] += float64(l / bottom * surprise)
		}
	}
	r.steps++
}

// Store writes the weights into m.
func (r *RecursiveLSTD) Store(m *models.Linear) {
	w := append([]float64(nil), r.prior...)
	dense.Add(w, r.delta)
	r.d.store(m, w)
}

// Steps is the number of transitions learned from.
func (r *RecursiveLSTD) Steps() int64 { return r.steps }
