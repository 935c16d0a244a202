package online

import (
	"math"

	"plyfit/internal/elementary"
	"plyfit/models"
)

// descent is what the steps depend on. The bias has the last place, as in
// gradient.
type descent struct {
	Steps
	keep   []bool // frozen
	rounds int64

	first  []float64 // Adam: mean of g; TC: sum of g
	second []float64 // Adam: mean of g^2; AdaGrad: its sum; TC: sum of |g|
	steps  []float64 // Adam: taken by this weight

	average average // a sample a round
}

// Constants of Adam, as its authors have them but for beta2, which forgets ten
// times faster: what a feature is worth changes while it is learned.
const (
	beta1   = 0.9
	beta2   = 0.99
	epsilon = 1e-8
)

func (d *descent) begin(c Steps, m *models.Linear, frozen []int32) {
	d.Steps = c
	n := m.Len() + 1
	d.keep = make([]bool, n)
	for _, i := range frozen {
		if i == models.Bias {
			i = int32(n - 1)
		}
		d.keep[i] = true
	}
	if c.Rule != Plain {
		d.second = make([]float64, n)
	}
	if c.Rule == Adam || c.Rule == TC {
		d.first = make([]float64, n)
	}
	if c.Rule == Adam {
		d.steps = make([]float64, n)
	}
	if c.AverageFrom >= 0 {
		d.average.mean = make([]float64, n)
	}
}

// take moves the weights of m by the mean of sum's samples. It reports a weight
// that came out infinite, or NaN, at once: no search can use it.
func (d *descent) take(m *models.Linear, sum *gradient) (at int, ok bool) {
	at, ok = 0, true
	alpha := d.size(float64(d.rounds))
	d.rounds++
	n := float64(sum.samples)
	for _, i := range sum.touched {
		g := sum.g[i] / n
		if d.keep[i] || g == 0 {
			continue
		}
		step := alpha * g
		switch d.Rule {
		case AdaGrad:
			d.second[i] += float64(g * g)
			step /= math.Sqrt(d.second[i]) + epsilon
		case TC:
			step *= coherence(&d.first[i], &d.second[i], g)
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
	d.average.add(func(i int) float64 { return weight(m, i) })
}

// averaged is m with the mean weights; m itself before there are any.
func (d *descent) averaged(m *models.Linear) *models.Linear {
	if d.average.samples == 0 {
		return m
	}
	m = m.Clone()
	for i, v := range d.average.mean {
		move(m, i, v-weight(m, i))
	}
	return m
}

func (d *descent) encode(e *Encoder, m *models.Linear) {
	e.Int(d.rounds)
	e.Int(d.average.samples)
	e.Float(m.Bias)
	e.Floats(m.Weights)
	e.Singles(m.Table)
	e.Floats(d.first)
	e.Floats(d.second)
	e.Floats(d.steps)
	e.Floats(d.average.mean)
}

func (d *descent) decode(r *Decoder, m *models.Linear) {
	d.rounds, d.average.samples = r.Int(), r.Int()
	m.Bias = r.Float()
	r.Floats(m.Weights)
	r.Singles(m.Table)
	r.Floats(d.first)
	r.Floats(d.second)
	r.Floats(d.steps)
	r.Floats(d.average.mean)
}
