package loss

import (
	"math"
	"testing"

	"plyfit/models"
)

// TestMirror checks that Mirror maps the best outcome to the worst and is its own inverse. If a
// constant is the best prediction for a label, the negated constant must be the best for the
// mirrored label.
func TestMirror(t *testing.T) {
	for _, l := range []Averager{Squared{models.Link{Kind: models.Tanh}, -2, 2}, Squared{models.Link{Kind: models.Logistic, Scale: 0.5}, -1, 1}, Logistic{2, -1, 1}} {
		for _, y := range []float64{-1, -0.3, 0, 0.8} {
			if back := l.Mirror(l.Mirror(y)); math.Abs(back-y) > 1e-15 {
				t.Errorf("%+v: %v mirrored twice is %v", l, y, back)
			}
			if there, other := l.Constant(y), l.Constant(l.Mirror(y)); math.Abs(y) < 1 && math.Abs(there+other) > 1e-9 {
				t.Errorf("%+v: the best constant for %v is %v, for its image %v", l, y, there, other)
			}
		}
	}
	if got := (Squared{Lo: 1, Hi: 5}).Mirror(1); got != 5 {
		t.Errorf("the image of 1 in 1 to 5 is %v", got)
	}
}
