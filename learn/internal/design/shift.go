package design

import "plyfit/internal/dense"

// A penalty draws weights to the prior, and a standard error says how a shrunk weight
// scatters, not how far it was drawn. One step of Newton's method from the fit, with
// the penalty left out, says that: for least squares it is exact.

// A weight counts as shrunk where it was drawn by more than shiftOfErrors standard errors (an
// interval that far off its middle holds the truth in 94 of 100), or where more than shiftOfData of
// what determines it is the penalty, which may have drawn it as far unseen.
const (
	ShiftOfErrors = 0.25
	ShiftOfData   = 0.1
)

// Shift is what the penalty made of weights, by column.
type Shift struct {
	By    []float64 // how far it moved them
	Share []float64 // of it in what determines them, 0 to 1
}

// ShiftOf is the shift of some columns, 0 for others: matrix is the Hessian of the loss
// alone among them and grad its gradient at the fit, which it writes over; variance times
// scale is what the penalty adds to the diagonal of b's Hessian.
func ShiftOf(b *Bread, matrix, grad []float64, columns []int, variance []float64, scale float64) *Shift {
	s := &Shift{make([]float64, len(variance)), make([]float64, len(variance))}
	if !dense.Factor(matrix, len(grad)).Solve(grad) { // nothing but the penalty determines them
		clear(grad)
	}
	for i, c := range columns {
		s.By[c] = grad[i]
	}
	for i, c := range b.Columns {
		s.Share[c] = b.Inverse[i*len(b.Columns)+i] * scale * variance[c]
	}
	return s
}
