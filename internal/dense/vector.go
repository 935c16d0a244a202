// Package dense is the arithmetic of vectors and square matrices that fits need,
// with the same bits on every machine: sums in a fixed order, every product
// rounded before it is added. Libraries sum in another order where they have
// assembly than where they have not.
package dense

import "math"

// Dot is the sum of a[i]*b[i]. The vectors are of one length: it panics
// otherwise.
//
// It is summed in sixteen lanes, i mod 16, which are added up in the order of a
// vector machine's; the numbers beyond the last sixteen come after them, one by
// one.
func Dot(a, b []float64) float64 {
	if len(a) != len(b) {
		panic("dense: Dot of vectors of different lengths")
	}
	var s [lanes]float64
	for ; len(a) >= lanes; a, b = a[lanes:], b[lanes:] {
		x, y := a[:lanes], b[:lanes]
		for k := range s {
			s[k] += float64(x[k] * y[k])
		}
	}
	var four [4]float64
	for k := range four {
		four[k] = (s[k] + s[k+4]) + (s[k+8] + s[k+12])
	}
	sum := (four[0] + four[2]) + (four[1] + four[3])
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

// lanes is how many sums a dot product keeps apart, so that no addition waits for the one
// before.
const lanes = 16

// AddScaled adds c*x[i] to dst[i]. The vectors are of one length: it panics
// otherwise.
func AddScaled(dst []float64, c float64, x []float64) {
	if len(dst) != len(x) {
		panic("dense: AddScaled of vectors of different lengths")
	}
	for i, v := range x {
		dst[i] += float64(c * v)
	}
}

// Add adds x to dst. The vectors are of one length: it panics otherwise.
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

// Norm is the Euclidean length of x, without care for squares that overflow.
func Norm(x []float64) float64 { return math.Sqrt(Dot(x, x)) }
