package online

import (
	"fmt"
	"math"

	"plyfit/internal/elementary"
	"plyfit/models"
)

// StepKind is a way to choose how far the weights move by the mean gradient g of
// a round's samples.
type StepKind string

const (
	// Adam is alpha m/sqrt(v), m and v decaying means of g and g^2 (Kingma and
	// Ba 2015): about alpha where the samples agree, whatever a feature's units.
	Adam StepKind = "adam"
	// AdaGrad is alpha g/sqrt(sum of g^2) (Duchi, Hazan and Singer 2011).
	AdaGrad StepKind = "adagrad"
	// TC is alpha g times |sum of g|/sum of |g|, temporal coherence (Beal and
	// Smith 1999).
	TC StepKind = "tc"
	// Plain is alpha g.
	Plain StepKind = "plain"
)

// Descent is how the weights of a [Searching] move.
type Descent struct {
	Step  StepKind // "": Adam
	Alpha float64  // step size; 0: 0.02
	// Decay is the number of rounds after which Alpha is halved, after twice that
	// it is a third, and so on; 0: it stays.
	Decay float64
	// AverageFrom is the episode from whose end on the weights are averaged, one
	// sample a round; negative: never.
	AverageFrom int
}

func (d *Descent) settle() error {
	if d.Step == "" {
		d.Step = Adam
	}
	if d.Alpha == 0 {
		d.Alpha = 0.02
	}
	switch {
	case d.Step != Adam && d.Step != AdaGrad && d.Step != TC && d.Step != Plain:
		return fmt.Errorf("step=%s: want %s, %s, %s or %s", d.Step, Adam, AdaGrad, TC, Plain)
	case !(d.Alpha > 0) || math.IsInf(d.Alpha, 0):
		return fmt.Errorf("alpha=%v: want a number above 0", d.Alpha)
	case !(d.Decay >= 0) || math.IsInf(d.Decay, 0):
		return fmt.Errorf("decay=%v: want a number of rounds, 0 for none", d.Decay)
	}
	return nil
}

// descent is what the steps depend on. The bias has the last place, as in
// gradient.
type descent struct {
	Descent
	keep   []bool // frozen
	rounds int64

	first  []float64 // Adam: mean of g; TC: sum of g
	second []float64 // Adam: mean of g^2; AdaGrad: its sum; TC: sum of |g|
	steps  []float64 // Adam: taken by this weight

	mean    []float64 // of the averaged weights
	sampled int64     // rounds in it
}

// Constants of Adam, as its authors have them but for beta2, which forgets ten
// times faster: what a feature is worth changes while it is learned.
const (
	beta1   = 0.9
	beta2   = 0.99
	epsilon = 1e-8
)

func (d *descent) begin(c Descent, m *models.Linear, frozen []int32) {
	d.Descent = c
	n := m.Len() + 1
	d.keep = make([]bool, n)
	for _, i := range frozen {
		if i == models.Bias {
			i = int32(n - 1)
		}
		d.keep[i] = true
	}
	if c.Step != Plain {
		d.second = make([]float64, n)
	}
	if c.Step == Adam || c.Step == TC {
		d.first = make([]float64, n)
	}
	if c.Step == Adam {
		d.steps = make([]float64, n)
	}
	if c.AverageFrom >= 0 {
		d.mean = make([]float64, n)
	}
}

// take moves the weights of m by the mean of sum's samples. It reports a weight
// that came out infinite, or NaN, at once: no search can judge by it.
func (d *descent) take(m *models.Linear, sum *gradient) (at int, ok bool) {
	at, ok = 0, true
	alpha := d.Alpha
	if d.Decay > 0 {
		alpha /= 1 + float64(d.rounds)/d.Decay
	}
	d.rounds++
	n := float64(sum.samples)
	for _, i := range sum.touched {
		g := sum.g[i] / n
		if d.keep[i] || g == 0 {
			continue
		}
		step := alpha * g
		switch d.Step {
		case AdaGrad:
			d.second[i] += float64(g * g)
			step /= math.Sqrt(d.second[i]) + epsilon
		case TC:
			if d.second[i] > 0 {
				step *= math.Abs(d.first[i]) / d.second[i]
			}
			d.first[i] += g
			d.second[i] += math.Abs(g)
		case Adam:
			d.steps[i]++
			d.first[i] += float64((1 - beta1) * (g - d.first[i]))
			d.second[i] += float64((1 - beta2) * (float64(g*g) - d.second[i]))
			first := d.first[i] / (1 - elementary.Pow(beta1, d.steps[i]))
			second := d.second[i] / (1 - elementary.Pow(beta2, d.steps[i]))
			step = alpha * first / (math.Sqrt(second) + epsilon)
		}
		if move(m, int(i), step); bad(weight(m, int(i))) {
			at, ok = int(i), false
		}
	}
	return at, ok
}

// sample adds the weights of a round to their mean.
func (d *descent) sample(m *models.Linear) {
	d.sampled++
	for i := range d.mean {
		d.mean[i] += (weight(m, i) - d.mean[i]) / float64(d.sampled)
	}
}

// averaged is m with the mean weights; m itself before there are any.
func (d *descent) averaged(m *models.Linear) *models.Linear {
	if d.sampled == 0 {
		return m
	}
	m = m.Clone()
	for i, v := range d.mean {
		move(m, i, v-weight(m, i))
	}
	return m
}

func (d *descent) encode(e *Encoder, m *models.Linear) {
	e.Int(d.rounds)
	e.Int(d.sampled)
	e.Float(m.Bias)
	e.Floats(m.Weights)
	e.Singles(m.Table)
	e.Floats(d.first)
	e.Floats(d.second)
	e.Floats(d.steps)
	e.Floats(d.mean)
}

func (d *descent) decode(r *Decoder, m *models.Linear) {
	d.rounds, d.sampled = r.Int(), r.Int()
	m.Bias = r.Float()
	r.Floats(m.Weights)
	r.Singles(m.Table)
	r.Floats(d.first)
	r.Floats(d.second)
	r.Floats(d.steps)
	r.Floats(d.mean)
}

// weight and move are for the weight of place i, the bias being the last.
func weight(m *models.Linear, i int) float64 {
	if i == m.Len() {
		return m.Bias
	}
	return m.Weight(int32(i))
}

func move(m *models.Linear, i int, d float64) {
	switch n := len(m.Weights); {
	case i == m.Len():
		m.Bias += d
	case i < n:
		m.Weights[i] += d
	default:
		m.Table[i-n] = float32(float64(m.Table[i-n]) + d)
	}
}
