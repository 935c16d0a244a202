//go:build !amd64

package dense

// AVX2 tells whether there are 256-bit registers of that kind.
const AVX2 = false

func dotLanes(a, b []float64) float64 { return dotLanesGeneric(a, b) }

func addScaledFours(dst []float64, c float64, x []float64) { addScaledGeneric(dst, c, x) }
