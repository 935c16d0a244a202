package asm

// DotLanes is the sum of a[i]*b[i], the length a multiple of [Lanes]. It is summed
// in sixteen lanes, i mod 16, which are added up in the order of a vector machine's.
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

// AddScaledFours adds c*x[i] to dst[i], the length a multiple of four.
func AddScaledFours(dst []float64, c float64, x []float64) {
	if !AVX2 || len(dst) == 0 {
		addScaledFoursGo(dst, c, x)
		return
	}
	_ = x[len(dst)-1]
	addScaledAVX2(&dst[0], &x[0], c, len(dst))
}

func addScaledFoursGo(dst []float64, c float64, x []float64) {
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] += float64(c * v)
	}
}
