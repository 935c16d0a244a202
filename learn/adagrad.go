package learn

import (
	"context"
	"fmt"
	"math"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/inference"
	"plyfit/learn/loss"
	"plyfit/models"
)

// AdaGrad fits any smooth loss row by row, with a step size for each weight that
// shrinks as its gradients add up (Duchi, Hazan, Singer 2011):
//
//	G_j += g_j^2,   w_j -= Rate g_j / sqrt(G_j)
//
// where G_j begins as if the feature had stood in twenty rows before.
//
// It needs eight bytes per feature and reads the rows once an epoch, in their
// order, so it is the learner for data larger than memory; two epochs over
// sparse rows predict held-out ones better than a full optimisation, which
// overfits. The price: the result depends on the order of rows.
//
// Penalty is applied where a feature occurs, in proportion to its square. There
// are no standard errors.
type AdaGrad struct {
	Options
	Loss   loss.Function // nil: Logistic{} of labels in [0, 1]
	Rate   float64       // of the steps, in units of weights; 0: 0.07
	Epochs int           // passes over the training rows, at most; 0: 2
	// Patience stops after so many epochs without a lower held-out loss, and
	// gives back the best weights; 0: no early stopping. The held-out loss of the
	// report is then that of rows that chose: see [Report].Best for how to avoid it.
	Patience int
}

var _ Learner = AdaGrad{}

func (l AdaGrad) Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error) {
	var r Report
	o := &l.Options
	if err := o.Check(m); err != nil {
		return r, err
	}
	d, err := design.New(m, o.Frozen, math.MaxInt32)
	if err != nil {
		return r, err
	}
	if err := l.complete(); err != nil {
		return r, err
	}
	a, t := newAdaptive(m, o, l.Loss, float32(l.Rate)), newEvidence(d.Width())
	stop := newPatience[adaptiveWeight](l.Patience)
	for epoch := range l.Epochs {
		// The first epoch checks the rows and counts what columns they have.
		read, columns := design.Rescan, (*design.Matrix)(nil)
		if epoch == 0 {
			read, columns = design.Scan, d
		}
		held, err := l.epoch(ctx, m, data, a, read, columns, t)
		if err != nil {
			return r, err
		}
		r.Steps++
		if stop.after(r.Steps, held, a.w, &r) {
			break
		}
	}
	if stop.best != nil {
		a.w = stop.best
	}
	fitted := m.Clone()
	a.store(fitted)
	if err := finiteModel(fitted); err != nil {
		return r, fmt.Errorf("%w with rate %v: want a lower one, such as %.2g, or features of smaller numbers", err, l.Rate, l.Rate/10)
	}
	if !o.NoErrors {
		t.sides = inference.NewSides(d, l.Loss)
	}
	if _, err := assess(ctx, data, fitted, o, l.Loss, d, t, nil, &r); err != nil {
		return r, err
	}
	summarise(m, fitted, d, o, t, nil, &r)
	return r, nil
}

// complete fills in defaults and finds a rate that cannot be.
func (l *AdaGrad) complete() error {
	if l.Loss == nil {
		l.Loss = loss.Logistic{}
	}
	if l.Rate == 0 {
		l.Rate = 0.07
	}
	if !(l.Rate > 0) {
		return fmt.Errorf("learn: rate %v, expected a positive number", l.Rate)
	}
	if l.Epochs == 0 {
		l.Epochs = 2
	}
	return nil
}

// epoch learns from each training row in turn, and returns the mean loss of the
// held-out ones where Patience wants it. Those are measured on the way, by the
// weights of the moment: a little late, but without a pass of their own. The rows'
// columns are counted into t where columns is given.
func (l *AdaGrad) epoch(ctx context.Context, m *models.Linear, data datasets.Samples, a *adaptive, read scanner, columns *design.Matrix, t *evidence) (heldLoss, error) {
	var sum, weight float64
	sp := l.split()
	err := read(ctx, data, m, sp, func(s *datasets.Sample, held bool) error {
		if held {
			if l.Patience > 0 && !sp.Skips(s.Position) {
				v, _, _ := design.Bounded(l.Loss, a.dot(s.X), s)
				sum += float64(s.Weight * v)
				weight += s.Weight
			}
			return nil
		}
		if columns != nil {
			cols, vals, _ := columns.Row(s.X)
			t.Add(s, cols, vals, l.Loss)
		}
		a.update(s)
		return nil
	})
	if err == nil && t.Rows == 0 {
		err = design.ErrNoRows
	}
	return heldLoss{sum, weight}, err
}

// frozenSum marks a frozen weight.
const frozenSum = -1

// A sum begins as if the feature had stood in seenRows rows before, with the mean
// square of all rows' slopes so far: else the first steps are the longest, and a
// rare feature's weight is mostly their noise. Chosen among 0, 10, 20 and 40 on
// tuning seeds of the sparse problem; see docs/results/speed.md. smallSquare keeps a first
// step finite.
const (
	seenRows    = 20
	smallSquare = 1e-6
)

// adaptiveWeight is a weight beside its sum of squared gradients, so that both come
// with one cache line. A sum of 0 is that of a weight whose feature has not occurred, a
// negative one that of a frozen weight. (The inverse root kept in place of the sum,
// and renewed by a series, was slower: the additions to a sum wait for each other
// where a feature stands in a row several times, roots do not.)
type adaptiveWeight struct{ weight, sum float32 }

// step moves the weight against its gradient v, by rate v / sqrt(sum).
func (a *adaptiveWeight) step(v, rate float32) {
	a.sum += float32(v * v)
	a.weight -= float32(rate * v * inverseRoot(a.sum))
}

// inverseRoot is 1/sqrt(x) to 0.07%, which is enough for the length of a step and
// half the work of a root and a division: a first guess by halving the exponent and
// one step of Newton's method, constants by Kadlec (2010).
func inverseRoot(x float32) float32 {
	y := math.Float32frombits(0x5f1ffff9 - math.Float32bits(x)>>1)
	return 0.703952253 * y * (2.38924456 - float32(x*y*y))
}

// adaptive holds the weights of all features, the bias first.
type adaptive struct {
	w       []adaptiveWeight
	prior   []float32 // nil: zeros
	loss    loss.Function
	rate    float32
	penalty float32
	squares float64 // sum of the squared slopes of the rows so far
	rows    float64
}

func newAdaptive(m *models.Linear, o *Options, criterion loss.Function, rate float32) *adaptive {
	a := &adaptive{w: make([]adaptiveWeight, m.Len()+1), loss: criterion, rate: rate, penalty: float32(2 * o.penalty())}
	for i := range a.w {
		a.w[i] = adaptiveWeight{weight: float32(o.prior(int32(i - 1)))}
	}
	if o.Penalty > 0 && o.Prior != nil {
		a.prior = make([]float32, len(a.w))
		for i := range a.prior {
			a.prior[i] = a.w[i].weight
		}
	}
	for _, f := range o.Frozen {
		a.w[f+1] = adaptiveWeight{weight: float32(m.Weight(f)), sum: frozenSum}
	}
	return a
}

// dot adds up in four sums, since one addition waits for the one before.
func (a *adaptive) dot(x models.Vector) float64 {
	var p, q, r, s float32
	w := a.w
	for ; len(x) >= 4; x = x[4:] {
		p += float32(w[x[0].Index+1].weight * x[0].Value)
		q += float32(w[x[1].Index+1].weight * x[1].Value)
		r += float32(w[x[2].Index+1].weight * x[2].Value)
		s += float32(w[x[3].Index+1].weight * x[3].Value)
	}
	for _, t := range x {
		p += float32(w[t.Index+1].weight * t.Value)
	}
	return float64((p + q) + (r + s))
}

func (a *adaptive) update(s *datasets.Sample) {
	z := a.dot(s.X)
	var grad float64
	if f, ok := a.loss.(loss.Logistic); ok && s.Kind == game.Exact {
		grad = f.Slope(z, s.Y)
	} else {
		_, grad, _ = design.Bounded(a.loss, z, s)
	}
	slope := s.Weight * grad
	a.rows++
	a.squares += float64(slope * slope)
	g, rate, penalty, w := float32(slope), a.rate, a.penalty, a.w
	for _, t := range s.X {
		e := &w[t.Index+1]
		if e.sum <= 0 && !a.begin(e, t.Value) {
			continue
		}
		v := float32(g * t.Value)
		if penalty != 0 && t.Index != models.Bias {
			v += float32(penalty * t.Value * t.Value * (e.weight - a.priorAt(t.Index)))
		}
		e.step(v, rate)
	}
}

// priorAt is what the penalty draws the weight of feature i to.
func (a *adaptive) priorAt(i int32) float32 {
	if a.prior == nil {
		return 0
	}
	return a.prior[i+1]
}

// begin gives a weight whose feature is first seen as x its sum, and reports
// whether it learns: frozen weights do not.
func (a *adaptive) begin(e *adaptiveWeight, x float32) bool {
	if e.sum < 0 || x == 0 {
		return false
	}
	e.sum = smallSquare + float32(seenRows*float32(a.squares/a.rows)*x*x)
	return true
}

func (a *adaptive) store(m *models.Linear) {
	for i, e := range a.w {
		if e.sum != frozenSum {
			design.SetWeight(m, int32(i-1), float64(e.weight))
		}
	}
}

func finiteModel(m *models.Linear) error {
	for i := models.Bias; i < int32(m.Len()); i++ {
		if w := m.Weight(i); w-w != 0 {
			return fmt.Errorf("learn: the weight of %s came out as %v", m.Name(i), w)
		}
	}
	return nil
}
