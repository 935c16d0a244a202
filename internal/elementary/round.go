package elementary

import "math"

// Round keeps the first 32 bits of x, some nine decimal digits: of figures from
// libraries that hang on the machine in their last digits, the quantiles of
// distributions above all.
func Round(x float64) float64 {
	x = float64(x) // see the package
	fraction, exponent := math.Frexp(x)
	return math.Ldexp(math.Round(fraction*(1<<32)), exponent-32)
}
