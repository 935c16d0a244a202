package learn

import (
	"fmt"
	"math"

	"plyfit/models"
)

// A penalty draws weights to the prior, and a standard error says how a shrunk weight
// scatters, not how far it was drawn. One step of Newton's method from the fit, with
// the penalty left out, says that: for least squares it is exact.

// A weight is said to be shrunk where it was drawn by more than shiftOfErrors standard
// errors (an interval that far off its middle holds the truth in 94 of 100), or where
// more than shiftOfData of what determines it is the penalty, which may have drawn it as
// far unseen.
const (
	shiftOfErrors = 0.25
	shiftOfData   = 0.1
)

// shift is what the penalty made of weights, by column.
type shift struct {
	by    []float64 // how far it moved them
	share []float64 // of it in what determines them, 0 to 1
}

// shifted is the shift of some columns, 0 for others: matrix is the Hessian of the loss
// alone among them and grad its gradient at the fit, which it writes over; variance times
// scale is what the penalty adds to the diagonal of b's Hessian.
func shifted(b *bread, matrix, grad []float64, columns []int, variance []float64, scale float64) *shift {
	s := &shift{make([]float64, len(variance)), make([]float64, len(variance))}
	eliminate(matrix, grad)
	for i, c := range columns {
		s.by[c] = grad[i]
	}
	for i, c := range b.columns {
		s.share[c] = b.inverse[i*len(b.columns)+i] * scale * variance[c]
	}
	return s
}

// residual is X'WX w - X'Wy in some columns.
func residual(xx, xy, w []float64, columns []int) []float64 {
	n := len(w)
	out := make([]float64, len(columns))
	for i, c := range columns {
		out[i] = dot(xx[c*n:c*n+n], w) - xy[c]
	}
	return out
}

func pick(x []float64, columns []int) []float64 {
	out := make([]float64, len(columns))
	for i, c := range columns {
		out[i] = x[c]
	}
	return out
}

// explainShifts says which intervals are of weights that the penalty moved.
func explainShifts(d *design, fitted *models.Linear, errs []float64, why map[int]string, s *shift, r *Report) {
	if s == nil || errs == nil {
		return
	}
	var moved []string
	for c, by := range s.by {
		if errs[c] == 0 || !(math.Abs(by) > shiftOfErrors*errs[c] || s.share[c] > shiftOfData) {
			continue
		}
		moved = append(moved, d.m.Name(d.feature[c]))
		if why[c] == "" {
			why[c] = fmt.Sprintf("shrunk: without the penalty about %.4g", fitted.Weight(d.feature[c])-by)
		}
	}
	r.noteMany("shrunk noticeably by the penalty, so that these intervals say what another data set would give under the same penalty, not what the data alone would", moved)
}
