package online

import (
	"math"

	"plyfit/internal/elementary"
	"plyfit/models"
)

// Descent moves weights by the mean gradient g of many positions, a round of them at a time: by
// Adam (Kingma and Ba 2015), alpha m/sqrt(v) with m and v decaying means of g and g^2, which is
// about alpha where the samples agree, whatever a feature's units; or where the task has TC by
// alpha g and its [coherence]. The bias has the last place, as in [Gradient].
type Descent struct {
	task *Task
	keep []bool // frozen

	first  []float64 // Adam: mean of g; TC: sum of g
	second []float64 // Adam: mean of g^2; TC: sum of |g|
	steps  []float64 // Adam: taken by this weight

	average Average // a sample a round
}

// Constants of Adam, as its authors have them but for beta2, which forgets ten
// times faster: what a feature is worth changes while it is learned.
const (
	beta1   = 0.9
	beta2   = 0.99
	epsilon = 1e-8
)

// NewDescent makes the descent of a task's weights.
func NewDescent(t *Task) *Descent {
	n := t.Model.Len() + 1
	d := &Descent{task: t, keep: t.FrozenPlaces(), first: make([]float64, n), second: make([]float64, n)}
	if !t.TC {
		d.steps = make([]float64, n)
	}
	if t.AverageFrom() >= 0 {
		d.average.Mean = make([]float64, n)
	}
	return d
}

// Take moves the weights of m by the mean of sum's samples, after so many episodes. It
// reports a weight that came out infinite, or NaN, at once: no search can use it.
func (d *Descent) Take(m *models.Linear, sum *Gradient, episodes int) (at int, ok bool) {
	at, ok = 0, true
	alpha := d.task.StepSize(float64(episodes))
	n := sum.Samples
	for _, i := range sum.touched {
		g := sum.g[i] / n
		if d.keep[i] || g == 0 {
			continue
		}
		var step float64
		if d.task.TC {
			step = float64(alpha*g) * coherence(&d.first[i], &d.second[i], g)
		} else {
			d.steps[i]++
			d.first[i] += float64((1 - beta1) * (g - d.first[i]))
			d.second[i] += float64((1 - beta2) * (float64(g*g) - d.second[i]))
			first := d.first[i] / (1 - elementary.Pow(beta1, d.steps[i]))
			second := d.second[i] / (1 - elementary.Pow(beta2, d.steps[i]))
			step = alpha * first / (math.Sqrt(second) + epsilon)
		}
		if Move(m, int(i), step); !usable(Weight(m, int(i))) {
			at, ok = int(i), false
		}
	}
	return at, ok
}

// Sample adds the weights of a round to their mean.
func (d *Descent) Sample(m *models.Linear) {
	d.average.Add(func(i int) float64 { return Weight(m, i) })
}

// Averaged is m with the mean weights; m itself before there are any.
func (d *Descent) Averaged(m *models.Linear) *models.Linear {
	if d.average.Samples == 0 {
		return m
	}
	m = m.Clone()
	for i, v := range d.average.Mean {
		Move(m, i, v-Weight(m, i))
	}
	return m
}

// Persist names the weights of m and what the steps depend on.
func (d *Descent) Persist(s *Snapshot, m *models.Linear) {
	s.Numbers(&d.average.Samples)
	s.Weights(m)
	s.Floats(d.first, d.second, d.steps, d.average.Mean)
}
