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

// Gradient sums up samples: g_i = sum of d * sign * x_i; the bias has the last place. It knows
// which places were touched, so that millions of weights cost nothing where none of them was.
type Gradient struct {
	Samples float64 // the sum of their weights

	g       []float64
	touched []int32
	is      []bool
}

// NewGradient makes a gradient of n weights and a bias.
func NewGradient(n int) *Gradient {
	return &Gradient{g: make([]float64, n+1), is: make([]bool, n+1)}
}

// At is the sum at a place.
func (g *Gradient) At(i int) float64 { return g.g[i] }

// Contribution is a gradient handed over.
type Contribution struct {
	Components []component
	Samples    float64
}

// component is the sum at one place of a gradient.
type component struct {
	Index int32
	Sum   float64
}

// Clear makes room for the next.
func (c *Contribution) Clear() { c.Components, c.Samples = c.Components[:0], 0 }

func (g *Gradient) sum(i int32, v float64) {
	if !g.is[i] {
		g.is[i] = true
		g.touched = append(g.touched, i)
	}
	g.g[i] += float64(v) // which may be a product
}

// Add counts a sample of the weight: terms x with a sign, a step of whose sum is worth d.
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

// Merge adds what was handed over.
func (g *Gradient) Merge(c *Contribution) {
	for _, t := range c.Components {
		g.sum(t.Index, t.Sum)
	}
	g.Samples += c.Samples
}

// Hand adds g to what c has and clears g.
func (g *Gradient) Hand(c *Contribution) {
	for _, i := range g.touched {
		c.Components = append(c.Components, component{i, g.g[i]})
	}
	c.Samples += g.Samples
	g.Clear()
}

// Clear makes all sums zero.
func (g *Gradient) Clear() {
	for _, i := range g.touched {
		g.g[i], g.is[i] = 0, false
	}
	g.touched, g.Samples = g.touched[:0], 0
}

// coherence is the share of its step that TC (temporal coherence: Beal and Smith, "Temporal
// coherence and prediction decay in TD learning", IJCAI 1999; in this form Jaskowski, "Mastering
// 2048", 2016) leaves a weight whose changes so far have this sum and this sum of sizes: all of it
// while they agree, less and less when they come and go. The change that it is to make joins them.
func coherence[F float32 | float64](sum, total *F, change float64) float64 {
	share := 1.0
	if *total > 0 {
		share = math.Abs(float64(*sum)) / float64(*total)
	}
	*sum += F(change)
	*total += F(math.Abs(change))
	return share
}
