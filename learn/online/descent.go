package online

import (
	"math"

	"plyfit/internal/elementary"
	"plyfit/models"
)

// Descent moves weights by the mean gradient g over many positions, one round of positions at a
// time. It uses Adam (Kingma and Ba 2015): a step is alpha m/sqrt(v), where m and v are decaying
// means of g and g^2. If the samples agree, the step is about alpha, whatever the units of a
// feature. If the task has TC, a step is alpha g times the [coherence] instead. The bias has the
// last index, as in [Gradient].
type Descent struct {
	task *Task
	keep []bool // frozen weights

	first  []float64 // Adam: mean of g; TC: sum of g
	second []float64 // Adam: mean of g^2; TC: sum of |g|
	steps  []float64 // Adam: number of steps of this weight

	average Average // one sample per round
}

// These are Adam's constants, with the values proposed by its authors except for beta2, which
// forgets ten times faster because the value of a feature changes during learning.
const (
	beta1   = 0.9
	beta2   = 0.99
	epsilon = 1e-8
)

// NewDescent returns a Descent for the weights in a task.
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

// Take moves the weights of m by the mean gradient of the samples in sum. The parameter episodes is
// the number of episodes so far. If a weight becomes NaN or too large, Take returns ok = false and
// the index of the weight.
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

// Sample includes the current weights of m in the mean weights.
func (d *Descent) Sample(m *models.Linear) {
	d.average.Add(func(i int) float64 { return Weight(m, i) })
}

// Averaged returns a copy of m with the mean weights, or m itself if there are none yet.
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

// Persist reads or writes the weights of m and the state that determines the steps.
func (d *Descent) Persist(s *Snapshot, m *models.Linear) {
	s.Numbers(&d.average.Samples)
	s.Weights(m)
	s.Floats(d.first, d.second, d.steps, d.average.Mean)
}

// A Gradient sums samples: g_i is the sum of d * sign * x_i. The bias has the last index. A
// Gradient remembers which indices have changed, so that its cost does not depend on the total
// number of weights.
type Gradient struct {
	Samples float64 // sum of the samples' weights

	g         []float64
	touched   []int32
	isTouched []bool
}

// NewGradient returns a gradient for n weights and a bias.
func NewGradient(n int) *Gradient {
	return &Gradient{g: make([]float64, n+1), isTouched: make([]bool, n+1)}
}

// At returns the sum at index i.
func (g *Gradient) At(i int) float64 { return g.g[i] }

// A Contribution contains the nonzero part of a gradient.
type Contribution struct {
	Components []component
	Samples    float64
}

// A component is the sum at one index of a gradient.
type component struct {
	Index int32
	Sum   float64
}

// Clear empties c so that it can be reused.
func (c *Contribution) Clear() { c.Components, c.Samples = c.Components[:0], 0 }

func (g *Gradient) sum(i int32, v float64) {
	if !g.isTouched[i] {
		g.isTouched[i] = true
		g.touched = append(g.touched, i)
	}
	g.g[i] += float64(v) // the conversion prevents a product v from being fused with the addition
}

// Add adds a sample with the given weight. x contains the sample's terms, and sign is their sign. d
// is the negative derivative of the loss with respect to the weighted sum.
func (g *Gradient) Add(x models.Vector, sign, d, weight float64) {
	g.Samples += weight
	if d == 0 {
		return
	}
	d *= weight
	g.sum(int32(len(g.g)-1), d)
	d *= sign
	for _, t := range x {
		g.sum(t.Index, d*float64(t.Value))
	}
}

// Merge adds a contribution.
func (g *Gradient) Merge(c *Contribution) {
	for _, t := range c.Components {
		g.sum(t.Index, t.Sum)
	}
	g.Samples += c.Samples
}

// MoveTo adds g to c and clears g.
func (g *Gradient) MoveTo(c *Contribution) {
	for _, i := range g.touched {
		c.Components = append(c.Components, component{i, g.g[i]})
	}
	c.Samples += g.Samples
	g.Clear()
}

// Clear sets all sums to zero.
func (g *Gradient) Clear() {
	for _, i := range g.touched {
		g.g[i], g.isTouched[i] = 0, false
	}
	g.touched, g.Samples = g.touched[:0], 0
}

// coherence returns the factor by which TC reduces a weight's step (temporal coherence: Beal and
// Smith, "Temporal coherence and prediction decay in TD learning", IJCAI 1999; in this form:
// Jaskowski, "Mastering 2048", 2016). The factor is |sum|/total, where sum is the sum of the
// weight's changes so far and total is the sum of their absolute values. It is 1 as long as the
// changes have the same sign, and decreases if they alternate. After computing the factor,
// coherence adds change to both sums.
func coherence[F float32 | float64](sum, total *F, change float64) float64 {
	share := 1.0
	if *total > 0 {
		share = math.Abs(float64(*sum)) / float64(*total)
	}
	*sum += F(change)
	*total += F(math.Abs(change))
	return share
}
