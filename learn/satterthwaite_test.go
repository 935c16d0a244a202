package learn

import (
	"math"
	"testing"
)

// TestSatterthwaite: the sums of powers are the traces of the matrix that they stand
// for, and groups of one weight have one degree of freedom less than they are.
func TestSatterthwaite(t *testing.T) {
	for _, groups := range []int{2, 5, 40} {
		equal := make([]float64, groups)
		for i := range equal {
			equal[i] = 1 / float64(groups)
		}
		if got := satterthwaite(equal); math.Abs(got-float64(groups-1)) > 1e-9 {
			t.Errorf("%d groups of one weight: %v degrees of freedom, want %d", groups, got, groups-1)
		}
	}
	shares := []float64{0.4, 0.25, 0.2, 0.1, 0.05}
	all := 0.0
	for _, p := range shares {
		all += p * p
	}
	trace, squares := 0.0, 0.0
	for g, p := range shares {
		for h, q := range shares {
			c := p*q*all - p*q*q - q*p*p
			if g == h {
				c += p * p
				trace += c / ((1 - p) * (1 - p))
			}
			c /= (1 - p) * (1 - q)
			squares += c * c
		}
	}
	if got, want := satterthwaite(shares), trace*trace/squares; math.Abs(got-want) > 1e-9 || want > 4 {
		t.Errorf("%v degrees of freedom, want %v", got, want)
	}
}
