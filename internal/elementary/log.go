package elementary

import "math"

// The logarithms follow FreeBSD's msun, e_log.c and s_log1p.c:
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun
// Microsystems, Inc. business. Permission to use, copy, modify, and distribute this software is
// freely granted, provided that this notice is preserved.

const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10

	log1 = 6.666666666666735130e-01
	log2 = 3.999999999940941908e-01
	log3 = 2.857142874366239149e-01
	log4 = 2.222219843214978396e-01
	log5 = 1.818357216161805012e-01
	log6 = 1.531383769920937332e-01
	log7 = 1.479819860511658591e-01
)

// Log returns the natural logarithm of x.
func Log(x float64) float64 {
	x = float64(x) // see the package comment
	switch {
	case !(x <= math.MaxFloat64): // infinite or not a number
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	// x = 2^k (1+f), sqrt(2)/2 <= 1+f < sqrt(2).
	k := 0
	if x < 0x1p-1022 {
		x, k = x*0x1p54, -54
	}
	u := math.Float64bits(x)
	k += int(u>>52) - 1023
	u &= 1<<52 - 1
	if u >= 0x6a09e667f3bcd { // digits of sqrt(2)
		k++
		u |= 0x3fe << 52
	} else {
		u |= 0x3ff << 52
	}
	f, n := math.Float64frombits(u)-1, float64(k)
	s := f / (2 + f)
	z := s * s
	w := z * z
	r := float64(z*(log1+float64(w*(log3+float64(w*(log5+float64(w*log7))))))) + float64(w*(log2+float64(w*(log4+float64(w*log6)))))
	half := float64(0.5 * f * f)
	return float64(n*ln2High) - ((half - (float64(s*(half+r)) + float64(n*ln2Low))) - f)
}

// Log1p returns ln(1+x), with full precision if x is small.
func Log1p(x float64) float64 {
	x = float64(x) // see the package comment
	const (
		root     = 4.142135623730950488017e-01  // sqrt(2) - 1
		halfRoot = -2.928932188134524755992e-01 // sqrt(2)/2 - 1
	)
	switch {
	case x < -1 || x != x:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	case x > math.MaxFloat64:
		return x
	}
	size := math.Abs(x)
	if size < 0x1p-29 {
		if size < 0x1p-54 {
			return x
		}
		return x - float64(x*x*0.5)
	}
	var n, c, f float64
	if x > halfRoot && x < root {
		f = x
	} else {
		// 1+x = 2^n (1+f), and c is the rounding error of 1+x.
		sum := 1 + x
		u := math.Float64bits(sum)
		k := int(u>>52) - 1023
		switch {
		case size >= 0x1p53:
		case k > 0:
			c = 1 - (sum - x)
		default:
			c = x - (sum - 1)
		}
		c /= sum
		u &= 1<<52 - 1
		if u < 0x6a09e667f3bcd {
			u |= 0x3ff << 52
		} else {
			k++
			u |= 0x3fe << 52
		}
		f, n = math.Float64frombits(u)-1, float64(k)
	}
	half := float64(0.5 * f * f)
	s := f / (2 + f)
	z := s * s
	r := float64(z * (log1 + float64(z*(log2+float64(z*(log3+float64(z*(log4+float64(z*(log5+float64(z*(log6+float64(z*log7)))))))))))))
	if n == 0 {
		return f - (half - float64(s*(half+r)))
	}
	return float64(n*ln2High) - ((half - (float64(s*(half+r)) + (float64(n*ln2Low) + c))) - f)
}

// Log2 returns the binary logarithm of x. It is exact for powers of two.
func Log2(x float64) float64 {
	x = float64(x) // see the package comment
	fraction, exponent := math.Frexp(x)
	if fraction == 0.5 {
		return float64(exponent - 1)
	}
	return float64(Log(fraction)*(1/math.Ln2)) + float64(exponent)
}

// Log10 returns the decimal logarithm of x.
func Log10(x float64) float64 { return Log2(x) * (math.Ln2 / math.Ln10) }

// Atanh returns the inverse hyperbolic tangent of x.
func Atanh(x float64) float64 {
	x = float64(x) // see the package comment
	z := math.Abs(x)
	switch {
	case !(z < 1): // infinite at 1 and undefined beyond
		return math.Atanh(x)
	case z < 0x1p-28:
		return x
	case z < 0.5:
		z += z
		return math.Copysign(0.5*Log1p(z+z*math.Abs(x)/(1-math.Abs(x))), x)
	}
	return math.Copysign(0.5*Log1p((z+z)/(1-z)), x)
}
