package online

import (
	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// valueFunction reads positions as player 0's expected utility, and how that moves with the
// weights: v = link(z), z = bias + sign w x.
type valueFunction struct {
	set    features.Set
	model  *models.Linear
	lo, hi float64
	loss   LossKind
}

func newValueFunction(c *SearchingOptions) valueFunction {
	base := c.Game.Base()
	return valueFunction{set: c.Set, model: c.Model, lo: base.Min, hi: base.Max, loss: c.Loss}
}

// covers reports whether s is a position that the model is made for.
func (e *valueFunction) covers(s game.State) bool {
	turn := game.Base(s).Turn()
	if e.model.Leaves == models.Afterstate {
		return turn == game.Chance
	}
	return turn >= 0 && s.Turn() >= 0 // not one in which a move is still to slip
}

// extract appends the features of s to x, and gives the sign with which they count
// for player 0, and z.
func (e *valueFunction) extract(s game.State, x models.Vector) (_ models.Vector, sign, z float64) {
	s = game.Base(s)
	first := len(x)
	x, direction := features.ExtractView(e.set, s, x)
	sign = float64(direction)
	return x, sign, e.model.Bias + float64(sign*e.model.Dot(x[first:]))
}

// of is the utility that z stands for.
func (e *valueFunction) of(z float64) float64 { return e.model.Link.Apply(z, e.lo, e.hi) }

// slope is how much a step in z is worth to the loss, by the difference in
// utility: the link's slope for squared errors, 1 where the loss goes with the
// link and cancels it.
func (e *valueFunction) slope(z float64) float64 {
	if e.loss == LogisticLoss {
		return 1
	}
	return e.model.Link.Slope(z, e.lo, e.hi)
}

// gradient sums up samples: g_i = sum of delta * slope * sign * x_i; the bias
// has the last place. It knows which places were touched, so that millions of
// weights cost nothing where none of them was.
type gradient struct {
	g       []float64
	touched []int32
	is      []bool
	samples float64 // the sum of their weights
}

// contribution is a gradient handed over.
type contribution struct {
	terms   []component
	samples float64
}

type component struct {
	index int32
	g     float64
}

func (g *gradient) grow(n int) {
	g.g, g.is = make([]float64, n+1), make([]bool, n+1)
}

func (g *gradient) at(i int32, v float64) {
	if !g.is[i] {
		g.is[i] = true
		g.touched = append(g.touched, i)
	}
	g.g[i] += float64(v) // which may be a product
}

// add counts a sample of the weight, whose step in z is worth d.
func (g *gradient) add(x models.Vector, sign, d, weight float64) {
	g.samples += weight
	if d == 0 {
		return
	}
	d *= weight
	g.at(int32(len(g.g)-1), d)
	d *= sign
	for _, t := range x {
		g.at(t.Index, d*float64(t.Value))
	}
}

func (g *gradient) merge(c *contribution) {
	for _, t := range c.terms {
		g.at(t.index, t.g)
	}
	g.samples += c.samples
}

// hand adds g to what c has and clears g.
func (g *gradient) hand(c *contribution) {
	for _, i := range g.touched {
		c.terms = append(c.terms, component{i, g.g[i]})
	}
	c.samples += g.samples
	g.clear()
}

func (g *gradient) clear() {
	for _, i := range g.touched {
		g.g[i], g.is[i] = 0, false
	}
	g.touched, g.samples = g.touched[:0], 0
}
