package learn

import "plyfit/datasets"

// bounded is the loss of a sample whose label may be only a bound: a prediction
// on the right side of it costs nothing.
func bounded(loss Loss, z float64, s *datasets.Sample) (l, grad, hess float64) {
	l, grad, hess = loss.Loss(z, s.Y)
	if keeps(int8(s.Kind), grad) {
		return 0, 0, 0
	}
	return l, grad, hess
}

// What a label is: game's Exact, Lower and Upper, which this package knows as
// numbers.
const (
	exact = iota
	lower
	upper
)

// keeps tells whether a prediction keeps a bound: a positive gradient means that
// it lies above the label.
func keeps(kind int8, grad float64) bool {
	return kind == lower && grad > 0 || kind == upper && grad < 0
}
