package learn

import "math"

// patience stops a fit whose held-out loss comes no lower any more, and keeps the
// best weights on the way.
type patience struct {
	most  int       // steps without a lower loss; 0: never stops, and keeps nothing
	best  []float64 // nil: none yet
	loss  float64
	since int // steps after the best one
}

// heldLoss is the loss of held-out rows, added up.
type heldLoss struct{ sum, weight float64 }

func newPatience(most int) *patience { return &patience{most: most, loss: math.Inf(1)} }

// after takes the weights w of a step with their held-out loss, and reports whether
// to stop. The best step goes into the report.
func (p *patience) after(step int, held heldLoss, w []float64, r *Report) (stop bool) {
	if p.most == 0 || !(held.weight > 0) {
		return false
	}
	if mean := held.sum / held.weight; better(mean, p.loss) {
		p.best, p.loss, p.since = append(p.best[:0], w...), mean, 0
		r.Best = step
		return false
	}
	p.since++
	return p.since >= p.most
}

// better reports whether a held-out loss is lower by more than rounding.
func better(now, best float64) bool {
	return math.IsInf(best, 1) || now < best-float64(1e-9*math.Abs(best))
}
