package asm

// Lanes is the number of separate sums of a dot product, so that additions need not wait for each
// other.
const Lanes = 16

// DotLanes is the sum of a[i]*b[i], the length a multiple of [Lanes]: in lanes i mod 16, which are
// added in the order of a vector machine.
func DotLanes(a, b []float64) float64 {
	if !AVX2 || len(a) == 0 {
		return dotLanesGo(a, b)
	}
	_ = b[len(a)-1]
	return dotLanesAVX2(&a[0], &b[0], len(a))
}

func dotLanesGo(a, b []float64) float64 {
	var s [Lanes]float64
	for ; len(a) >= Lanes; a, b = a[Lanes:], b[Lanes:] {
		x, y := a[:Lanes], b[:Lanes]
		for k := range s {
			s[k] += float64(x[k] * y[k])
		}
	}
	var four [4]float64
	for k := range four {
		four[k] = (s[k] + s[k+4]) + (s[k+8] + s[k+12])
	}
	return (four[0] + four[2]) + (four[1] + four[3])
}
