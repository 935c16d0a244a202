package elementary

import "math"

// ExpMinus is e^-x for x >= 0 to a few units in the last place, in a third of
// [Exp]'s time: a table gives 2^(-k/64), and a polynomial the rest, which is
// smaller than ln 2/128 (Tang, TOMS 1989). It is 0 from 700 on.
func ExpMinus(x float64) float64 {
	x = float64(x) // see the package
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
