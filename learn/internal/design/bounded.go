package design

import (
	"plyfit/datasets"
	"plyfit/learn/loss"
)

// Bounded is the loss of a sample whose label may be only a bound: a prediction
// on the right side of it costs nothing.
func Bounded(criterion loss.Function, z float64, s *datasets.Sample) (l, grad, hess float64) {
	l, grad, hess = criterion.Loss(z, s.Y)
	if Satisfied(int8(s.Kind), grad) {
		return 0, 0, 0
	}
	return l, grad, hess
}

// What a label is: game's Exact, Lower and Upper, which this package knows as
// numbers.
const (
	Exact = iota
	Lower
	Upper
)

// Satisfied reports whether a prediction keeps a bound: a positive gradient means that
// it lies above the label.
func Satisfied(kind int8, grad float64) bool {
	return kind == Lower && grad > 0 || kind == Upper && grad < 0
}
