package learn

import (
	"context"
	"errors"
	"fmt"
	"math"

	"plyfit/datasets"
	"plyfit/internal/dense"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/models"
)

// LSTD implements least-squares temporal differences (Bradtke and Barto 1996; LSTD(λ) by Boyan
// 1999), without discounting. It finds the weights at which the expected TD(λ) update over the data
// is zero. They solve A w = b with
//
//	e_t = λ e_{t-1} + φ(s_t)
//	A = sum of e_t (φ(s_t) - φ(s_{t+1}))',   b = sum of e_t r_t
//
// The sums are computed in one pass, without a step size. With λ = 1 this is regression on the
// outcome. With λ = 0 the fit relies on the value of the next position. LSTD is suitable for a
// small number of features, because A contains all pairs of them. To improve a policy, play with
// the result and fit again, several times.
//
// [Options].Penalty shrinks the weights as in [Ridge]: the product of P, the rows' total weight and
// v_j is added to the diagonal of A, and this product times the prior is added to b. The report's
// loss is the squared difference between the value and the sum of the rewards in the rest of the
// episode. It covers only episodes that ended. If a model has a link, the weighted sum z is fitted,
// so rewards must be in units of z.
type LSTD struct {
	Options
	Lambda float64 // in [0, 1]
}

func (l LSTD) Learn(ctx context.Context, m *models.Linear, data Transitions) (Report, error) {
	var r Report
	f, err := l.begin(ctx, m, design.MaxColumns, &r)
	if err != nil {
		return r, err
	}
	if !(l.Lambda >= 0 && l.Lambda <= 1) {
		return r, fmt.Errorf("learn: lambda %v: want a number from 0 to 1", l.Lambda)
	}
	d, n := f.design, f.design.Width()
	g := numeric.NewGram(n)
	a, b := make([]float64, n*n), make([]float64, n)
	walk := newTrace(d, l.Lambda)
	ended := false
	err = steps(ctx, data, m, l.split(), func(s *Transition, held bool) error {
		if held {
			return nil
		}
		walk.step(s)
		f.Add(&datasets.Sample{X: s.X, Weight: s.Weight, Episode: s.Episode}, walk.cols, walk.vals, nil)
		g.Add(walk.cols, walk.vals, s.Weight, 0)
		walk.addTo(a, b, s.Weight)
		ended = ended || s.Terminal
		return nil
	})
	if err != nil {
		return r, err
	}
	if f.Rows == 0 {
		return r, design.ErrNoRows
	}
	if !ended {
		return r, errors.New("learn: no training episode ends, so temporal differences have no anchor")
	}
	r.Steps = 1
	f.xx, _ = g.Sum()
	prior := d.Priors(l.Prior)
	f.variance, f.factor = d.Variances(f.xx, f.Weight), numeric.Cholesky(f.xx, n, numeric.Collinear)
	kept := f.factor.Columns
	if l.Penalty >= design.TinyPenalty {
		kept = design.Factored(f.xx, f.variance, l.Penalty, f.Weight).Columns
	}
	for j, v := range f.variance {
		a[j*n+j] += float64(l.Penalty * f.Weight * v)
		b[j] += float64(l.Penalty * f.Weight * v * prior[j])
	}
	w, inverse, err := l.solve(d, a, b, prior, f.xx, kept, &r)
	if err != nil {
		return r, err
	}
	if err := f.store(w); err != nil {
		return r, err
	}
	f.explain(kept)
	var sandwich *design.Bread
	if inverse != nil {
		sandwich = &design.Bread{Columns: kept, Hessian: numeric.Submatrix(a, n, kept), Inverse: inverse}
	}
	if free := f.factor.Columns; sandwich != nil && l.Penalty > 0 {
		matrix, grad := numeric.Submatrix(a, n, free), make([]float64, len(free))
		for i, c := range free {
			p := float64(l.Penalty * f.Weight * f.variance[c])
			matrix[i*len(free)+i] -= p
			grad[i] = -p * (w[c] - prior[c])
		}
		f.shift = design.ShiftOf(sandwich, matrix, grad, free, f.variance, l.Penalty*f.Weight)
	}
	errs, err := l.assess(f, data, sandwich)
	if err == nil {
		f.finish(errs)
	}
	return r, err
}

// solve finds w with A (w - prior) = b - A prior for the kept columns, and the inverse of A over
// these columns. It scales columns to unit length for the computation. A may be singular even if
// the columns are independent, for example if a feature changes only in unfinished games. In this
// case solve adds a ridge of 1e-9 towards the prior.
func (l LSTD) solve(d *design.Matrix, a, b, prior, xx []float64, kept []int, r *Report) (w, inverse []float64, err error) {
	n, k := d.Width(), len(kept)
	length := make([]float64, k)
	for i, c := range kept {
		length[i] = math.Sqrt(xx[c*n+c])
	}
	small, x := make([]float64, k*k), make([]float64, k)
	for i, ci := range kept {
		v := b[ci]
		for j := range n {
			v -= float64(a[ci*n+j] * prior[j])
		}
		x[i] = v / length[i]
		for j, cj := range kept {
			small[i*k+j] = a[ci*n+cj] / (length[i] * length[j])
		}
	}
	lu := dense.Factor(small, k)
	if !(lu.Cond() < 1e12) {
		r.note("A is singular over these episodes: settled by a ridge of 1e-9 toward the prior")
		for i := range k {
			small[i*k+i] += 1e-9
		}
		lu = dense.Factor(small, k)
	}
	if !lu.Solve(x) {
		return nil, nil, errors.New("learn: temporal differences: A is singular, even with a ridge")
	}
	w = append([]float64(nil), prior...)
	for i, c := range kept {
		w[c] += x[i] / length[i]
	}
	if l.NoErrors || k > maxErrorsCols {
		return w, nil, nil
	}
	inverse = lu.Inverse()
	for i := range k {
		for j := range k {
			inverse[i*k+j] /= length[i] * length[j]
		}
	}
	return w, inverse, nil
}

// assess compares the predictions of the weights with the rewards of episodes. It computes standard
// errors with [design.Clusters], where the gradient of an episode is the sum of its e_t δ_t and its
// Hessian is its part of A.
func (l LSTD) assess(f *fitting, data Transitions, b *design.Bread) ([]float64, error) {
	p, meat, walk := &paid{models: f.compared()}, f.clusters(b), newTrace(f.design, l.Lambda)
	p.sums = newScores(f.split(), len(p.models))
	sp, heldEpisodes, positions := l.split(), design.NewEpisodeSet(), design.NewCensus()
	err := steps(f.ctx, data, f.model, sp, func(s *Transition, held bool) error {
		if held {
			heldEpisodes.Add(s.Episode)
		} else {
			f.present(s.X)
		}
		positions.Add(design.HashOf(s.X))
		delta := s.Reward - p.add(s, sp.Side(held, s.Position))
		if !s.Terminal {
			delta += f.fitted.Dot(s.Next)
		}
		if meat != nil && !held {
			walk.step(s)
			meat.AddPair(s.Episode, walk.touched, walk.traceValues(), walk.diff, walk.dvals, s.Weight*delta, s.Weight)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	r := f.report
	r.Episodes, r.HeldOutEpisodes = f.Episodes.Len(), heldEpisodes.Len()
	r.Positions = positions.Count()
	p.report(f.Options, r)
	return f.errors(meat), nil
}

// paid compares several models' predictions with the sum of the rewards in the rest of the episode.
// Predictions are stored until the episode ends.
type paid struct {
	models        []*models.Linear // the first model is the fitted one
	sums          *scores
	label, square [design.Parts]float64 // sums of the labels (the rewards in the rest of the episode) and of their squares
	waiting       []waiting
	values        []float64 // for each element of waiting, one value for each model
	episode       uint64
}

type waiting struct {
	reward, weight float64
	side           int
}

func (p *paid) add(s *Transition, side int) float64 {
	p.sums.rows[side]++
	if s.Episode != p.episode {
		p.waiting, p.values, p.episode = p.waiting[:0], p.values[:0], s.Episode
	}
	p.waiting = append(p.waiting, waiting{s.Reward, s.Weight, side})
	for _, m := range p.models {
		p.values = append(p.values, m.Dot(s.X))
	}
	predicted := p.values[len(p.values)-len(p.models)]
	if s.Terminal {
		p.pay()
		p.waiting, p.values = p.waiting[:0], p.values[:0]
	}
	return predicted
}

// pay measures the predictions made in an episode that has ended.
func (p *paid) pay() {
	back := 0.0
	for i := len(p.waiting) - 1; i >= 0; i-- {
		s := p.waiting[i]
		back += s.reward
		k := s.side
		p.sums.weight[k] += s.weight
		p.label[k] += float64(s.weight * back)
		p.square[k] += float64(s.weight * back * back)
		for j := range p.models {
			e := p.values[i*len(p.models)+j] - back
			if l := float64(s.weight * e * e); j == 0 {
				p.sums.first(k, p.episode, l, s.weight)
			} else {
				p.sums.sums[j][k] += l
			}
		}
	}
}

// report sets the losses of the models and of the constant. The constant does not require a
// separate pass.
func (p *paid) report(o *Options, r *Report) {
	p.sums.compare(o, r)
	constant := Measure{Name: "constant"}
	if w := p.sums.weight[design.Training]; w > 0 {
		c := p.label[design.Training] / w
		constant.Loss = p.square[design.Training]/w - float64(c*c)
		if len(p.sums.groups.list) > 0 {
			constant.HeldOutLoss = p.sums.held(p.square, r) - float64(2*c*p.sums.held(p.label, r)) + float64(c*c)
		}
	}
	r.against(constant)
}

type trace struct {
	d       *design.Matrix
	lambda  float64
	e       []float64
	touched []int32 // columns with nonzero eligibility
	marked  []bool
	last    uint64
	begun   bool

	cols   []int32 // of X
	vals   []float64
	diff   []int32 // columns of X minus Next
	dvals  []float64
	reward float64
	evals  []float64 // result of traceValues
}

func newTrace(d *design.Matrix, lambda float64) *trace {
	return &trace{d: d, lambda: lambda, e: make([]float64, d.Width()), marked: make([]bool, d.Width())}
}

func (t *trace) step(s *Transition) {
	if !t.begun || s.Episode != t.last || s.Fresh || t.lambda == 0 {
		for _, c := range t.touched {
			t.e[c], t.marked[c] = 0, false
		}
		t.touched = t.touched[:0]
		t.begun, t.last = true, s.Episode
	} else if t.lambda != 1 {
		for _, c := range t.touched {
			t.e[c] *= t.lambda
		}
	}
	cols, vals, offset := t.d.Row(s.X)
	t.cols, t.vals = append(t.cols[:0], cols...), append(t.vals[:0], vals...)
	for k, c := range cols {
		if !t.marked[c] {
			t.marked[c] = true
			t.touched = append(t.touched, c)
		}
		t.e[c] += vals[k]
	}
	// The frozen weights' contribution to both positions is known, so it is moved to the reward.
	t.reward = s.Reward - offset
	t.diff, t.dvals = append(t.diff[:0], cols...), append(t.dvals[:0], vals...)
	if !s.Terminal {
		next, v, offset := t.d.Row(s.Next)
		t.reward += offset
		t.diff = append(t.diff, next...)
		for _, v := range v {
			t.dvals = append(t.dvals, -v)
		}
	}
}

// addTo adds w e (x - next)' to a, and w e reward to b.
func (t *trace) addTo(a, b []float64, w float64) {
	n := t.d.Width()
	for _, c := range t.touched {
		e := w * t.e[c]
		row := a[int(c)*n : int(c)*n+n]
		for k, j := range t.diff {
			row[j] += float64(e * t.dvals[k])
		}
		b[c] += float64(e * t.reward)
	}
}

// traceValues returns the eligibilities of the touched columns.
func (t *trace) traceValues() []float64 {
	t.evals = t.evals[:0]
	for _, c := range t.touched {
		t.evals = append(t.evals, t.e[c])
	}
	return t.evals
}

// steps visits transitions in the same way as [design.Scan] visits samples.
func steps(ctx context.Context, data Transitions, m *models.Linear, sp *design.Split, visit func(s *Transition, held bool) error) error {
	return design.Walk(ctx, data.All(), sp, func(s *Transition, n int64) (uint64, error) {
		if err := design.CheckTerms(s.X, m, "step", n, s.Episode); err != nil {
			return 0, err
		}
		if !s.Terminal {
			if err := design.CheckTerms(s.Next, m, "step", n, s.Episode); err != nil {
				return 0, err
			}
		}
		if s.Reward-s.Reward != 0 {
			return 0, fmt.Errorf("learn: step %d (episode %d): reward %v: want a finite number", n, s.Episode, s.Reward)
		}
		return s.Episode, design.CheckWeight(s.Weight, "step", n, s.Episode)
	}, visit)
}
