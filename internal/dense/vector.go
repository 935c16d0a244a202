// Package dense is the arithmetic of vectors and square matrices with the same bits on every
// machine: sums in a fixed order, every product rounded before it is added. Libraries with assembly
// sum in another order.
package dense

import (
	"math"

	"plyfit/internal/asm"
)

// Dot is the sum of a[i]*b[i] in sixteen lanes, i mod 16, which are added in the order of a vector
// machine; the last few numbers follow one by one. It panics unless the lengths are equal.
func Dot(a, b []float64) float64 {
	if len(a) != len(b) {
		panic("dense: Dot of vectors of different lengths")
	}
	whole := len(a) &^ (asm.Lanes - 1)
	sum := asm.DotLanes(a[:whole], b[:whole])
	a, b = a[whole:], b[whole:]
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

// AddScaled adds c*x[i] to dst[i]. It panics unless the lengths are equal.
func AddScaled(dst []float64, c float64, x []float64) {
	if len(dst) != len(x) {
		panic("dense: AddScaled of vectors of different lengths")
	}
	for i, v := range x {
		dst[i] += float64(c * v)
	}
}

// Add adds x to dst. It panics unless the lengths are equal.
func Add(dst, x []float64) {
	if len(dst) != len(x) {
		panic("dense: Add of vectors of different lengths")
	}
	for i, v := range x {
		dst[i] += v
	}
}

// Scale multiplies x by c.
func Scale(c float64, x []float64) {
	for i := range x {
		x[i] *= c
	}
}

// Norm is the Euclidean length of x; squares may overflow.
func Norm(x []float64) float64 { return math.Sqrt(Dot(x, x)) }
