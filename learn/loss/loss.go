// Package loss implements the loss functions minimised by fits. A loss measures the difference
// between a label and a prediction, which is a weighted sum passed through the model's link.
package loss

import (
	"math"

	"plyfit/internal/elementary"
	"plyfit/models"
)

// A Function compares a prediction with a label.
type Function interface {
	// Loss returns the loss of the prediction pred (before the link) for the label y, together with
	// its first and second derivatives with respect to pred.
	Loss(pred, y float64) (loss, grad, hess float64)
}

// An Averager is a Function whose best constant prediction is known.
type Averager interface {
	Function
	// Constant returns the prediction (before the link) with the lowest total loss over labels with
	// the given weighted mean.
	Constant(mean float64) float64
	// Mirror returns the label y from the other player's point of view, for two-player games.
	Mirror(y float64) float64
}

var (
	_ Averager = Squared{}
	_ Averager = Logistic{}
)

// Squared is the squared difference (link(z) - y)^2 in the game's units. The zero value uses the
// identity link.
//
// With other links, hess is the Gauss-Newton approximation 2 link'(z)^2, which is never negative.
type Squared struct {
	Link   models.Link
	Lo, Hi float64 // bounds of the utility; Loss ignores them with the identity link
}

func (s Squared) Loss(z, y float64) (loss, grad, hess float64) {
	p, slope := z, 1.0
	c, _ := s.Link.TanhScale()
	switch s.Link.Kind {
	case models.Logistic:
		q := sigmoid(2 * c * z)
		p, slope = s.Lo+float64((s.Hi-s.Lo)*q), (s.Hi-s.Lo)*q*(1-q)*(2*c)
	case models.Tanh:
		t := elementary.Tanh(c * z)
		p, slope = float64((s.Lo+s.Hi)/2)+float64((s.Hi-s.Lo)/2*t), (s.Hi-s.Lo)/2*(1-float64(t*t))*c
	}
	d := p - y
	return d * d, 2 * d * slope, 2 * slope * slope
}

func (s Squared) Constant(mean float64) float64 {
	if s.Link.Bounded() { // stay away from the ends, which a link approaches but never reaches
		margin := float64(1e-12 * (s.Hi - s.Lo))
		mean = math.Min(math.Max(mean, s.Lo+margin), s.Hi-margin)
	}
	return s.Link.Inverse(mean, s.Lo, s.Hi)
}

func (s Squared) Mirror(y float64) float64 { return s.Lo + s.Hi - y }

// Logistic is the cross-entropy between the label, mapped from [Lo, Hi] to a probability q in [0,
// 1] (a draw is 1/2), and the model's probability
//
//	p = 1/(1+exp(-scale z)):   -q ln p - (1-q) ln(1-p)
//
// in nats. A tanh link is the same curve with twice the scale, so the loss applies to models with
// either link. See [ForLink]. Labels outside [Lo, Hi] are replaced by the nearer end. If Lo and Hi
// are both zero, the labels are probabilities.
type Logistic struct {
	Scale  float64 // factor by which z is multiplied; 0 means 1
	Lo, Hi float64
}

func (l Logistic) Loss(z, y float64) (loss, grad, hess float64) {
	s := l.Steepness()
	q, sz := l.Probability(y), float64(s*z)
	// Compute ln(1+exp(sz)) - q sz without overflow. If 1+e is rounded to 1, the error is at most
	// 1e-16. log is faster than log1p.
	e := elementary.Exp(-math.Abs(sz))
	p := 1 / (1 + e)
	loss = elementary.Log(1+e) - float64(q*sz)
	if sz < 0 {
		p *= e
	} else {
		loss += sz
	}
	return loss, s * (p - q), s * s * p * (1 - p)
}

// Slope returns the gradient of Loss alone.
func (l Logistic) Slope(z, y float64) float64 {
	s := l.Steepness()
	e := elementary.ExpMinus(math.Abs(s * z))
	p := 1 / (1 + e)
	if s*z < 0 {
		p *= e
	}
	return s * (p - l.Probability(y))
}

func (l Logistic) Steepness() float64 {
	if l.Scale == 0 {
		return 1
	}
	return l.Scale
}

func (l Logistic) Constant(mean float64) float64 {
	s := l.Steepness()
	q := math.Min(math.Max(l.Probability(mean), 1e-12), 1-1e-12)
	return elementary.Log(q/(1-q)) / s
}

func (l Logistic) Mirror(y float64) float64 {
	if l.Lo == 0 && l.Hi == 0 {
		return 1 - y
	}
	return l.Lo + l.Hi - y
}

func (l Logistic) Probability(y float64) float64 {
	if l.Lo != 0 || l.Hi != 0 {
		y = (y - l.Lo) / (l.Hi - l.Lo)
	}
	return min(max(y, 0), 1)
}

// ForLink returns the Logistic loss for models with the given link, in a game whose utilities lie
// in [lo, hi]. It panics for the identity link, whose sums are not probabilities.
func ForLink(link models.Link, lo, hi float64) Logistic {
	c, ok := link.TanhScale()
	if !ok {
		panic("loss: no logistic loss for link " + string(link.Kind))
	}
	return Logistic{Scale: 2 * c, Lo: lo, Hi: hi} // (1+tanh x)/2 = 1/(1+exp(-2x))
}

func sigmoid(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + elementary.Exp(-x))
	}
	e := elementary.Exp(x)
	return e / (1 + e)
}
