package learn

import "math"

// halves are 2^(-i/64).
var halves = func() (t [64]float64) {
	for i := range t {
		t[i] = math.Exp2(-float64(i) / 64)
	}
	return t
}()

// expNegative is e^-x for x >= 0 to a few units in the last place, in a third of
// math.Exp's time: the table gives 2^(-k/64), and a polynomial the rest, which is
// smaller than ln 2/128 (Tang, TOMS 1989).
func expNegative(x float64) float64 {
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
	k := int64(x*perStep + 0.5)
	n := float64(k)
	r := (n*high - x) + n*low
	p := r + r*r*(0.5+r*(1./6+r*(1./24+r*(1./120))))
	v := halves[k&63] * math.Float64frombits(uint64(1023-k>>6)<<52)
	return v + v*p
}
