package stats

import (
	"math"
	"testing"
)

func TestHolm(t *testing.T) {
	// Holm 1979's rule by hand: sorted .005 .01 .03 .04, times 4 3 2 1.
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	want := []float64{0.03, 0.06, 0.06, 0.02}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("Holm gives %v, want %v", got, want)
		}
	}
	if got := Holm([]float64{0.9, 0.8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("adjusted p-values above 1: %v", got)
	}
}
