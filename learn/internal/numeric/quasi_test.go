package numeric

import (
	"math"
	"slices"
	"testing"
)

// A function whose unit steps are far too long, and too short, and one that is
// not convex.
func TestDescentOnCurvedValleys(t *testing.T) {
	rosenbrock := func(x, g []float64) (float64, error) {
		a, b := 1-x[0], x[1]-x[0]*x[0]
		g[0], g[1] = -2*a-400*x[0]*b, 200*b
		return a*a + 100*b*b, nil
	}
	quartic := func(x, g []float64) (float64, error) {
		f := 0.0
		for j, v := range x {
			u := v - float64(j)
			f += math.Pow(10, float64(j)) * u * u * u * u
			g[j] = 4 * math.Pow(10, float64(j)) * u * u * u
		}
		return f, nil
	}
	for name, c := range map[string]struct {
		f           func(x, g []float64) (float64, error)
		start, want []float64
		tol         float64
	}{
		"rosenbrock": {rosenbrock, []float64{-1.2, 1}, []float64{1, 1}, 1e-6},
		"quartic":    {quartic, []float64{3, -5, 40}, []float64{0, 1, 2}, 5e-3},
	} {
		x := slices.Clone(c.start)
		if err := (&QuasiNewton{Value: c.f, Step: func() {}, Iterations: 500, Pairs: 8}).Minimise(x); err != nil && err != ErrFloor {
			t.Fatal(err)
		}
		for j := range x {
			if math.Abs(x[j]-c.want[j]) > c.tol {
				t.Errorf("%s: %v, want %v", name, x, c.want)
				break
			}
		}
	}
}
