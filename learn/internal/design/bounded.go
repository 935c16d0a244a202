package design

import (
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/loss"
)

// Bounded is the loss of a sample whose label may be only a bound: a prediction
// on the right side of it costs nothing.
func Bounded(criterion loss.Function, z float64, s *datasets.Sample) (l, grad, hess float64) {
	l, grad, hess = criterion.Loss(z, s.Y)
	if Satisfied(s.Kind, grad) {
		return 0, 0, 0
	}
	return l, grad, hess
}

// Satisfied reports whether a prediction keeps a bound: a positive gradient means that
// it lies above the label.
func Satisfied(kind game.Bound, grad float64) bool {
	return kind == game.Lower && grad > 0 || kind == game.Upper && grad < 0
}
