package elementary

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// ulps is how many units in the last place got is from the truth.
func ulps(got float64, truth *big.Float) float64 {
	near, _ := truth.Float64()
	unit := math.Nextafter(math.Abs(near), math.Inf(1)) - math.Abs(near)
	d := new(big.Float).SetPrec(200).Sub(truth, big.NewFloat(got))
	f, _ := d.Quo(d, big.NewFloat(unit)).Float64()
	return math.Abs(f)
}

func wide(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }

// bigExp is e^x by its series at x/2^k, squared k times.
func bigExp(x *big.Float) *big.Float {
	const k = 12
	y := new(big.Float).SetPrec(260).SetMantExp(x, -k)
	sum, term := new(big.Float).SetPrec(260).SetInt64(1), new(big.Float).SetPrec(260).SetInt64(1)
	for i := int64(1); i < 60; i++ {
		term.Mul(term, y)
		term.Quo(term, new(big.Float).SetPrec(260).SetInt64(i))
		sum.Add(sum, term)
	}
	for range k {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog is ln x by Newton's method on e^y = x.
func bigLog(x *big.Float) *big.Float {
	f, _ := x.Float64()
	y := new(big.Float).SetPrec(260).SetFloat64(math.Log(f))
	for range 4 {
		e := bigExp(y)
		up, down := new(big.Float).SetPrec(260).Sub(x, e), new(big.Float).SetPrec(260).Add(x, e)
		up.Quo(up, down)
		y.Add(y, up.SetMantExp(up, 1))
	}
	return y
}

func one() *big.Float { return new(big.Float).SetPrec(260).SetInt64(1) }

// bigErf is erf x by its series.
func bigErf(x float64) *big.Float {
	const prec = 400
	sum, term, square := wide(x).SetPrec(prec), wide(x).SetPrec(prec), wide(x).SetPrec(prec)
	square.Mul(square, square)
	for n := int64(1); n < 400; n++ {
		term.Mul(term, square)
		term.Quo(term, new(big.Float).SetPrec(prec).SetInt64(-n))
		sum.Add(sum, new(big.Float).SetPrec(prec).Quo(term, new(big.Float).SetPrec(prec).SetInt64(2*n+1)))
	}
	pi, _, err := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651", 10, prec, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return sum.Mul(sum, new(big.Float).SetPrec(prec).Quo(new(big.Float).SetPrec(prec).SetInt64(2), pi.Sqrt(pi)))
}

// TestAgainstTheTruth holds each function against itself in 200 bits.
func TestAgainstTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	between := func(lo, hi float64) func() float64 { return func() float64 { return lo + (hi-lo)*rng.Float64() } }
	scaled := func(sign bool) func() float64 {
		return func() float64 {
			x := math.Exp2(-40 + 80*rng.Float64())
			if sign && rng.IntN(2) == 0 {
				x = -x
			}
			return x
		}
	}
	for _, c := range []struct {
		name  string
		f     func(float64) float64
		truth func(x float64) *big.Float
		draw  func() float64
		most  float64
	}{
		{"Exp", Exp, func(x float64) *big.Float { return bigExp(wide(x)) }, between(-700, 700), 1.2},
		{"Exp near 0", Exp, func(x float64) *big.Float { return bigExp(wide(x)) }, between(-1, 1), 1.1},
		{"Log", Log, func(x float64) *big.Float { return bigLog(wide(x)) }, scaled(false), 1.1},
		{"Log near 1", Log, func(x float64) *big.Float { return bigLog(wide(x)) }, between(0.5, 2), 1.1},
		{"Log1p", Log1p, func(x float64) *big.Float { return bigLog(one().Add(one(), wide(x))) }, between(-0.9, 3), 1.1},
		{"Log2", Log2, func(x float64) *big.Float { return one().Quo(bigLog(wide(x)), bigLog(wide(2))) }, between(3, 1e9), 2},
		{"Log10", Log10, func(x float64) *big.Float { return one().Quo(bigLog(wide(x)), bigLog(wide(10))) }, between(3, 1e9), 2},
		{"Tanh", Tanh, func(x float64) *big.Float {
			e := bigExp(wide(2 * x))
			return one().Quo(one().Sub(e, one()), one().Add(e, one()))
		}, between(-20, 20), 2},
		{"Tanh near 0", Tanh, func(x float64) *big.Float {
			e := bigExp(wide(2 * x))
			return one().Quo(one().Sub(e, one()), one().Add(e, one()))
		}, between(-0.7, 0.7), 2},
		{"Atanh", Atanh, func(x float64) *big.Float {
			r := bigLog(one().Quo(one().Add(one(), wide(x)), one().Sub(one(), wide(x))))
			return r.SetMantExp(r, -1)
		}, between(-0.999, 0.999), 2},
		{"Erf", Erf, bigErf, between(-6, 6), 1.5},
		{"Erfc", Erfc, func(x float64) *big.Float { return one().SetPrec(400).Sub(one(), bigErf(x)) }, between(-6, 6), 3},
		{"Pow 2.7", func(x float64) float64 { return Pow(x, 2.7) }, func(x float64) *big.Float {
			return bigExp(new(big.Float).SetPrec(260).Mul(wide(2.7), bigLog(wide(x))))
		}, between(0.1, 10), 4},
		{"Pow -0.3", func(x float64) float64 { return Pow(x, -0.3) }, func(x float64) *big.Float {
			return bigExp(new(big.Float).SetPrec(260).Mul(wide(-0.3), bigLog(wide(x))))
		}, between(1e-3, 1e3), 4},
	} {
		worst, at := 0.0, 0.0
		for range 300 {
			x := c.draw()
			if u := ulps(c.f(x), c.truth(x)); u > worst {
				worst, at = u, x
			}
		}
		t.Logf("%s: %.2f units in the last place", c.name, worst)
		if worst > c.most {
			t.Errorf("%s(%v) = %v is %.2f units in the last place off: want at most %v", c.name, at, c.f(at), worst, c.most)
		}
	}
}

// TestSpecialCases are those of package math, and so are values nearly.
func TestSpecialCases(t *testing.T) {
	pairs := []struct {
		name       string
		ours, math func(float64) float64
	}{
		{"Exp", Exp, math.Exp}, {"Log", Log, math.Log}, {"Log1p", Log1p, math.Log1p}, {"Log2", Log2, math.Log2}, {"Log10", Log10, math.Log10},
		{"Tanh", Tanh, math.Tanh}, {"Atanh", Atanh, math.Atanh}, {"Erf", Erf, math.Erf}, {"Erfc", Erfc, math.Erfc},
	}
	points := []float64{0, math.Copysign(0, -1), 1, -1, 2, 0.5, 1024, -0.5, 1e-300, -1e-300, 1e300, -1e300, 709.7, 709.79, 710, -708, -720.5, -745, -745.13, -746, 1e-10, -1e-10, 21.9, 22.1, 27, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, p := range pairs {
		for _, x := range points {
			got, want := p.ours(x), p.math(x)
			near := got == want || got != got && want != want || math.Abs(got-want) <= math.Max(4e-16*math.Abs(want), 5e-324)
			if !near || math.Signbit(got) != math.Signbit(want) && got == got {
				t.Errorf("%s(%v) = %v, math has %v", p.name, x, got, want)
			}
		}
	}
	for _, x := range points {
		for _, y := range append(points, 3, -3, 2.5, -2.5, 7, 1e15, 1<<53) {
			got, want := Pow(x, y), math.Pow(x, y)
			if !(got == want || got != got && want != want || math.Abs(got-want) <= 1e-12*math.Abs(want)) {
				t.Errorf("Pow(%v, %v) = %v, math has %v", x, y, got, want)
			}
		}
	}
	// Package math's assembly takes numbers below the normal ones for the least of those.
	if got, want := Log(5e-324), -744.4400719213812; got != want {
		t.Errorf("Log(5e-324) = %v, want %v", got, want)
	}
	for x := -20.0; x <= 20; x += 0.01 {
		if got, want := Cos(x), math.Cos(x); math.Abs(got-want) > 3e-16 {
			t.Errorf("Cos(%v) = %v, math has %v", x, got, want)
		}
	}
}

// TestBits: some values to the last bit, which every build must give.
func TestBits(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Exp(0.1)", Exp(0.1), 0x1.1aec7b35a00d3p+00},
		{"Exp(-3.7)", Exp(-3.7), 0x1.9511fc6871044p-06},
		{"Exp(300.3)", Exp(300.3), 0x1.2e9c6cabf8f3fp+433},
		{"Log(3)", Log(3), 0x1.193ea7aad030ap+00},
		{"Log(0.7)", Log(0.7), -0x1.6d3c324e13f5p-02},
		{"Log1p(0.3)", Log1p(0.3), 0x1.0ca937be1b9dcp-02},
		{"Log1p(-0.6)", Log1p(-0.6), -0x1.d5240f0e0e077p-01},
		{"Tanh(0.3)", Tanh(0.3), 0x1.2a4dda7d914fap-02},
		{"Tanh(1.3)", Tanh(1.3), 0x1.b933c726e9b3ap-01},
		{"Erf(0.5)", Erf(0.5), 0x1.0a7ef5c18edd2p-01},
		{"Erf(1.1)", Erf(1.1), 0x1.c2aa3d27302cp-01},
		{"Erfc(2)", Erfc(2), 0x1.328f5ec350e66p-08},
		{"Pow(3, 1.7)", Pow(3, 1.7), 0x1.9e45c2acce59ep+02},
		{"Pow(0.37, -2.2)", Pow(0.37, -2.2), 0x1.1d2bea3c836d9p+03},
		{"Cos(2)", Cos(2), -0x1.aa22657537205p-02},
		{"Cos(0.3)", Cos(0.3), 0x1.e921dd42f09bap-01},
		{"Log2(10)", Log2(10), 0x1.a934f0979a371p+01},
		{"Log10(7)", Log10(7), 0x1.b0b0b0b78cc3fp-01},
	} {
		if c.got != c.want {
			t.Errorf("%s = %x, want %x", c.name, c.got, c.want)
		}
	}
}

func TestRound(t *testing.T) {
	for _, x := range []float64{1.959963984540054, -12.70620473617471, 3e-200, 0} {
		near := Round(x)
		if math.Abs(near-x) > math.Abs(x)*0x1p-32 {
			t.Errorf("Round(%v) = %v", x, near)
		}
		if again := Round(math.Nextafter(math.Nextafter(x, 9e9), 9e9)); x != 0 && again != near {
			t.Errorf("Round(%v) = %v, two units further %v", x, near, again)
		}
	}
}
