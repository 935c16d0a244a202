package elementary

import "math"

// Exp returns e^x by the method of Tang, "Table-Driven Implementation of the Exponential Function
// in IEEE Floating-Point Arithmetic" (TOMS 1989): x = (64m - i + r') ln 2/64. A table contains
// 2^(-i/64), and a polynomial approximates the rest, which is at most ln 2/128.
func Exp(x float64) float64 {
	x = float64(x) // see the package comment
	const (
		perStep = 64 / math.Ln2
		high    = 0x1.62e42fefap-1 / 64 // ln 2/64 to 33 bits, so that n times it is exact
		low     = math.Ln2/64 - high
		whole   = 0x1.8p52 // adding and then subtracting this rounds to an integer
	)
	if !(x > -745.2 && x < 709.8) {
		switch {
		case x != x:
			return x
		case x > 0:
			return math.Inf(1)
		}
		return 0
	}
	n := (float64(x*perStep) + whole) - whole
	r := (x - float64(n*high)) - float64(n*low)
	p := r + float64(r*r*(0.5+float64(r*(1./6+float64(r*(1./24+float64(r*(1./120))))))))
	k := -int64(n)
	v := Roots[k&63]
	v += float64(v * p)
	if e := 1023 - k>>6; e > 0 && e < 2047 {
		return v * math.Float64frombits(uint64(e)<<52)
	}
	// At the ends of the range, 2^m is not a normal number.
	if k > 0 {
		return v * math.Float64frombits(uint64(1023+1000-k>>6)<<52) * 0x1p-1000
	}
	return v * math.Float64frombits(uint64(1023-1000-k>>6)<<52) * 0x1p1000
}

// Tanh returns the hyperbolic tangent of x. Near 0, it uses the rational approximation of the
// Cephes library (Moshier 1989), and elsewhere Exp.
func Tanh(x float64) float64 {
	x = float64(x) // see the package comment
	z := math.Abs(x)
	switch {
	case z > 22: // 1 - tanh is less than a quarter of a unit in the last place
		return math.Copysign(1, x)
	case z >= 0.625:
		return math.Copysign(1-2/(Exp(2*z)+1), x)
	case x == 0:
		return x // keeps the sign of zero
	}
	s := float64(x * x)
	p := float64((float64(-9.64399179425052238628e-1*s)+-9.92877231001918586564e1)*s) + -1.61468768441708447952e3
	q := float64((float64((s+1.12811678491632931402e2)*s)+2.23548839060100448583e3)*s) + 4.84406305325125486048e3
	return x + x*s*p/q
}

// ExpMinus returns e^-x for x >= 0, accurate to a few units in the last place, in a third of
// [Exp]'s time. A table contains 2^(-k/64), and a polynomial approximates the rest, which is less
// than ln 2/128 (Tang, TOMS 1989). The result is 0 for x >= 700.
func ExpMinus(x float64) float64 {
	x = float64(x) // see the package comment
	const (
		perStep = 64 / math.Ln2
		high    = 0x1.62e42fefap-1 / 64 // ln 2/64 to 33 bits, so that k times it is exact
		low     = math.Ln2/64 - high
	)
	if !(x < 700) {
		if x != x {
			return x
		}
		return 0
	}
	k := int64(float64(x*perStep) + 0.5)
	n := float64(k)
	r := (float64(n*high) - x) + float64(n*low)
	p := r + float64(r*r*(0.5+float64(r*(1./6+float64(r*(1./24+float64(r*(1./120))))))))
	v := float64(Roots[k&63] * math.Float64frombits(uint64(1023-k>>6)<<52))
	return v + float64(v*p)
}

// Pow returns x^y. It computes the integer part of y by repeated squaring (Knuth, "Seminumerical
// Algorithms", 4.6.3) and the rest as exp(y ln x). Its relative error grows with y, to about a
// hundred units in the last place at y = 100.
func Pow(x, y float64) float64 {
	x, y = float64(x), float64(y) // see the package comment
	whole, rest := math.Modf(math.Abs(y))
	switch {
	case y == 0 || x == 1 || x == 0 || x != x || y != y || math.IsInf(x, 0) || math.IsInf(y, 0) || whole >= 1<<53 || rest != 0 && x < 0:
		return math.Pow(x, y) // the result is usually 0, 1, infinite or not a number, so nothing is rounded
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
	// The result is p 2^e x^whole, and m 2^n is x^(2^i).
	m, n := math.Frexp(x)
	for i := int64(whole); i != 0; i >>= 1 {
		if n < -1<<12 || n > 1<<12 { // e alone determines the result, and n must not overflow
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
