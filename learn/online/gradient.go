package online

import "plyfit/models"

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
