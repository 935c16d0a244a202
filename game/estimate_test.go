package game

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestInside checks the documented properties of Inside: order, symmetry, and the margins at the
// bounds.
func TestInside(t *testing.T) {
	for _, b := range [][2]float64{{-1, 1}, {0, 1}, {-64, 64}, {-3, 3}, {1, 3}, {-18.5, 2}, {1000, 1001}} {
		lo, hi := b[0], b[1]
		width := hi - lo
		near := 1e-9 * math.Max(1, math.Max(math.Abs(lo), math.Abs(hi)))
		r := rand.New(rand.NewPCG(1, 2))
		for range 100000 {
			v := lo + width*r.Float64()
			if got := Inside(v, lo, hi); math.Abs(got-v) > near || got != v && v > lo+near && v < hi-near {
				t.Fatalf("[%v, %v]: %v became %v", lo, hi, v, got)
			}
		}
		// Values within and beyond the bounds, in increasing order.
		last := math.Inf(-1)
		for _, v := range []float64{-1e300, lo - 100*width, lo - width, lo - width/2, lo - width/3, lo - width/1000, lo, lo + width/2,
			hi, hi + width/1000, hi + width/3, hi + width/2, hi + width, hi + 100*width, 1e300} {
			got := Inside(v, lo, hi)
			if !(got > lo && got < hi && got > last) {
				t.Errorf("[%v, %v]: %v became %v, the one before it %v", lo, hi, v, got, last)
			}
			if mirrored := -Inside(-v, -hi, -lo); mirrored != got {
				t.Errorf("[%v, %v]: %v became %v, its mirror image %v", lo, hi, v, got, mirrored)
			}
			last = got
		}
		for range 100000 {
			a, b := lo+width*(40*r.Float64()-20), lo+width*(40*r.Float64()-20)
			x, y := Inside(a, lo, hi), Inside(b, lo, hi)
			if a < b && x > y || a > b && x < y {
				t.Fatalf("[%v, %v]: the order of %v and %v is lost: %v and %v", lo, hi, a, b, x, y)
			}
		}
	}
	inf := math.Inf(1)
	for _, c := range [][4]float64{{5, 0, inf, 5}, {-5, 0, inf, 0}, {5, -inf, inf, 5}, {inf, -inf, inf, inf}, {7, 2, 2, 2}, {7, 1, math.Nextafter(1, 2), 1}} {
		if got := Inside(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%v in [%v, %v] became %v, want %v", c[0], c[1], c[2], got, c[3])
		}
	}
}
