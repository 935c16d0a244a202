package bootstrap

import (
	"plyfit/features"
	"plyfit/game"
	"plyfit/learn/online"
	"plyfit/models"
)

// valueFunction reads positions as player 0's expected utility, and how that moves with the
// weights: v = link(z), z = bias + sign w x.
type valueFunction struct {
	set    features.Set
	model  *models.Linear
	lo, hi float64
	loss   string
}

func newValueFunction(c *online.Task) valueFunction {
	base := c.Game.Base()
	return valueFunction{set: features.Own(c.Set), model: c.Model, lo: base.Min, hi: base.Max, loss: c.Loss}
}

// covers reports whether s is a position that the model is made for.
func (e *valueFunction) covers(s game.State) bool {
	turn := game.Base(s).Turn()
	if e.model.Leaves == models.Afterstate {
		return turn == game.Chance
	}
	return turn >= 0 && s.Turn() >= 0 // not one in which a move is still to slip
}

// extract appends the features of s to x; sign is how they count for player 0.
func (e *valueFunction) extract(s game.State, x models.Vector) (_ models.Vector, sign, z float64) {
	s = game.Base(s)
	first := len(x)
	x, direction := features.ExtractView(e.set, s, x)
	sign = float64(direction)
	return x, sign, e.model.Bias + float64(sign*e.model.Dot(x[first:]))
}

// of is the utility of z.
func (e *valueFunction) of(z float64) float64 { return e.model.Link.Apply(z, e.lo, e.hi) }

// slope is how much a step in z is worth to the loss, by the difference in utility: the link's
// slope for squared errors, 1 where the loss goes with the link and cancels it.
func (e *valueFunction) slope(z float64) float64 {
	if e.loss == logisticLoss {
		return 1
	}
	return e.model.Link.Slope(z, e.lo, e.hi)
}
