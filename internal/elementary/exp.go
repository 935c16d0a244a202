package elementary

import "math"

// Exp is e^x, by the table-driven method of Tang, "Table-Driven Implementation
// of the Exponential Function in IEEE Floating-Point Arithmetic" (TOMS 1989): x =
// (64m - i + r') ln 2/64, of which the table gives 2^(-i/64) and a polynomial the
// rest, which is at most ln 2/128.
func Exp(x float64) float64 {
	x = float64(x) // see the package
	const (
		perStep = 64 / math.Ln2
		high    = 0x1.62e42fefap-1 / 64 // ln 2/64 to 33 bits, so that n times it is exact
		low     = math.Ln2/64 - high
		whole   = 0x1.8p52 // added and taken off again it rounds to a whole number
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
	// At the ends of the range 2^m is no number of its own.
	if k > 0 {
		return v * math.Float64frombits(uint64(1023+1000-k>>6)<<52) * 0x1p-1000
	}
	return v * math.Float64frombits(uint64(1023-1000-k>>6)<<52) * 0x1p1000
}

// Tanh is the hyperbolic tangent of x: near 0 the rational approximation of the
// Cephes library (Moshier 1989), elsewhere by Exp.
func Tanh(x float64) float64 {
	x = float64(x) // see the package
	z := math.Abs(x)
	switch {
	case z > 22: // 1 - tanh is less than a quarter of a unit in the last place
		return math.Copysign(1, x)
	case z >= 0.625:
		return math.Copysign(1-2/(Exp(2*z)+1), x)
	case x == 0:
		return x // of its sign
	}
	s := float64(x * x)
	p := float64((float64(-9.64399179425052238628e-1*s)+-9.92877231001918586564e1)*s) + -1.61468768441708447952e3
	q := float64((float64((s+1.12811678491632931402e2)*s)+2.23548839060100448583e3)*s) + 4.84406305325125486048e3
	return x + x*s*p/q
}
