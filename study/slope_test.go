package study

import (
	"math"
	"testing"
)

// Anscombe's first data set: slope .5001, standard error .1179 (Anscombe 1973).
func TestSlope(t *testing.T) {
	x := []float64{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5}
	y := []float64{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68}
	i := Slope(x, y)
	const t9 = 2.2622 // Student's t, 9 degrees of freedom
	if math.Abs(i.Value-0.5001) > 5e-5 || math.Abs((i.High-i.Low)/2/t9-0.1179) > 5e-5 {
		t.Errorf("%+v, want .5001 with standard error .1179", i)
	}
	for _, bad := range [][2][]float64{{{1, 2}, {3, 4}}, {{1, 1, 1}, {2, 3, 4}}} {
		if i := Slope(bad[0], bad[1]); !math.IsInf(i.Low, -1) || !math.IsInf(i.High, 1) {
			t.Errorf("%v: %+v, want no interval", bad, i)
		}
	}
}
