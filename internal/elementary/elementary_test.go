package elementary

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAgainstMath checks that functions of random numbers are within two to five units in the last
// place of package math.
func TestAgainstMath(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	power := func(pow func(x, y float64) float64, y float64) func(float64) float64 {
		return func(x float64) float64 { return pow(x, y) }
	}
	for _, c := range []struct {
		name         string
		f, truth     func(float64) float64
		lo, hi, most float64
	}{
		{"Exp", Exp, math.Exp, -700, 700, 2}, {"Exp near 0", Exp, math.Exp, -1, 1, 2},
		{"Log", Log, math.Log, 1e-12, 1e12, 2}, {"Log near 1", Log, math.Log, 0.5, 2, 2}, {"Log1p", Log1p, math.Log1p, -0.9, 3, 2},
		{"Log2", Log2, math.Log2, 3, 1e9, 2}, {"Log10", Log10, math.Log10, 3, 1e9, 3},
		{"Tanh", Tanh, math.Tanh, -20, 20, 2}, {"Tanh near 0", Tanh, math.Tanh, -0.7, 0.7, 2}, {"Atanh", Atanh, math.Atanh, -0.999, 0.999, 2},
		{"Erf", Erf, math.Erf, -6, 6, 2}, {"Erfc", Erfc, math.Erfc, -6, 6, 5},
		{"Pow 2.7", power(Pow, 2.7), power(math.Pow, 2.7), 0.1, 10, 4}, {"Pow -0.3", power(Pow, -0.3), power(math.Pow, -0.3), 1e-3, 1e3, 4},
	} {
		for range 3000 {
			x := c.lo + (c.hi-c.lo)*rng.Float64()
			got, want := c.f(x), c.truth(x)
			if unit := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want); math.Abs(got-want) > c.most*unit {
				t.Errorf("%s(%v) = %v is %.1f units in the last place from %v: want at most %v", c.name, x, got, math.Abs(got-want)/unit, want, c.most)
			}
		}
	}
}

// TestSpecialCases checks values at zeros, infinities, NaN, ends of ranges and other points.
// Infinities and NaN must equal those of package math, and finite values must be close.
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
	// The assembly of package math treats subnormal numbers as the smallest normal number.
	if got, want := Log(5e-324), -744.4400719213812; got != want {
		t.Errorf("Log(5e-324) = %v, want %v", got, want)
	}
	for x := -20.0; x <= 20; x += 0.01 {
		if got, want := Cos(x), math.Cos(x); math.Abs(got-want) > 3e-16 {
			t.Errorf("Cos(%v) = %v, math has %v", x, got, want)
		}
	}
}

// TestBits checks some values bit by bit, because they must be the same in every build.
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

func TestExpMinus(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range 200000 {
		x := rng.ExpFloat64() * 20
		if i%2 == 0 {
			x = rng.Float64()
		}
		if got, want := ExpMinus(x), math.Exp(-x); x < 700 && math.Abs(got-want) > 5e-16*want {
			t.Fatalf("exp(-%v) is %v, want %v", x, got, want)
		}
	}
	if ExpMinus(0) != 1 || ExpMinus(math.Inf(1)) != 0 || ExpMinus(1e6) != 0 || !math.IsNaN(ExpMinus(math.NaN())) {
		t.Error("the ends are wrong")
	}
}
