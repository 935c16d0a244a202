package dense

// AVX2 tells whether the processor and the system keep 256-bit registers.
var AVX2 = hasAVX2()

func hasAVX2() bool

// dotLanesAVX is dotLanesGeneric on 256-bit registers: the same sums in the same
// order.
//
//go:noescape
func dotLanesAVX(a, b *float64, n int) float64

//go:noescape
func addScaledAVX(dst, x *float64, c float64, n int)

func dotLanes(a, b []float64) float64 {
	if !AVX2 {
		return dotLanesGeneric(a, b)
	}
	return dotLanesAVX(&a[0], &b[0], len(a))
}

func addScaledFours(dst []float64, c float64, x []float64) {
	if !AVX2 {
		addScaledGeneric(dst, c, x)
		return
	}
	addScaledAVX(&dst[0], &x[0], c, len(dst))
}
