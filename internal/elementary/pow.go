package elementary

import "math"

// Pow is x^y: the whole part of y by repeated squaring (Knuth, "Seminumerical
// Algorithms", 4.6.3), the rest as exp(y ln x). Its relative error grows with y,
// some hundred units in the last place at y = 100.
func Pow(x, y float64) float64 {
	x, y = float64(x), float64(y) // see the package
	whole, rest := math.Modf(math.Abs(y))
	switch {
	case y == 0 || x == 1 || x == 0 || x != x || y != y || math.IsInf(x, 0) || math.IsInf(y, 0) || whole >= 1<<53 || rest != 0 && x < 0:
		return math.Pow(x, y) // 0, 1, infinite or not a number: nothing to round
	case y == 1:
		return x
	}
	p, e := 1.0, 0
	if rest > 0.5 {
		rest--
		whole++
	}
	if rest != 0 {
		p = Exp(rest * Log(x))
	}
	// p 2^e times x^whole; m 2^n is x^(2^i).
	m, n := math.Frexp(x)
	for i := int64(whole); i != 0; i >>= 1 {
		if n < -1<<12 || n > 1<<12 { // e alone decides, and n must not overflow
			e += n
			break
		}
		if i&1 == 1 {
			p *= m
			e += n
		}
		m = float64(m * m)
		n <<= 1
		if m < 0.5 {
			m += m
			n--
		}
	}
	if y < 0 {
		p, e = 1/p, -e
	}
	return math.Ldexp(p, e)
}
