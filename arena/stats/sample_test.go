package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/internal/vectors"
)

// TestSampleTest checks intervals and tests against Student's sleep data (Biometrika 6, 1908), with
// mean 1.58, interval .7001 to 2.4599, t = 4.0621 and two-sided p = .002833. It also checks samples
// of equal units.
func TestSampleTest(t *testing.T) {
	x := []float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4}
	if e := MeanOf(x); e != SampleOf(x).Estimate() || math.Abs(e.Value-1.58) > 1e-9 || math.Abs(e.Low-0.7001142) > 1e-6 || math.Abs(e.High-2.4598858) > 1e-6 {
		t.Errorf("%+v, want 1.58 (.7001 to 2.4599)", e)
	}
	for _, c := range []struct {
		x                   []float64
		level, above, below float64
	}{
		{x, 0, 0.0014165, 0.9985835}, {[]float64{0, 0, 0}, 0, 1, 1}, {[]float64{1, 1, 1}, 0, 0, 1}, {[]float64{5}, 0, 1, 1},
		{make([]float64, 20), -0.02, math.Pow(0.98, 20), 1}, {make([]float64, 400), 0.02, 1, math.Pow(0.98, 400)},
	} {
		if above, below := SampleOf(c.x).Test(c.level); math.Abs(above-c.above) > 1e-6 || math.Abs(below-c.below) > 1e-6 {
			t.Errorf("%v: p = %v and %v, want %v and %v", c.x, above, below, c.above, c.below)
		}
	}
	even := SampleOf(make([]float64, 20))
	if e := even.Estimate(); e.Exact() || math.Abs(e.High-3.0/20) > 1e-12 || e.Low != -e.High {
		t.Errorf("20 even pairs: %v, want 3/20 to either side", e)
	}
	even.Exact = true
	if e := even.Estimate(); !e.Exact() || e.P(0) != 0 {
		t.Errorf("a theorem's cell: %v", e)
	}
}

// simulated returns a simulated study. It has eight base evaluations, each with twenty randomly
// drawn errors, and all pairs have different openings. The average loss caused by the error is
// 0.02, and the average value of an additional ply is 0.045. The parameters base, draw and pair are
// the standard deviations of the effects, as fractions of the points.
func simulated(trial uint64, openings int, base, draw, pair float64) (loss, worth Sample) {
	const bases, draws = 8, 20
	random := rand.New(rand.NewPCG(trial, 0xc0be))
	loss.Rows, worth.Rows = make([][]float64, bases), make([][]float64, bases)
	for b := range bases {
		effect, scale := 0.02+base*random.NormFloat64(), 0.045+0.005*random.NormFloat64()
		for d := range draws {
			own := effect + draw*random.NormFloat64()
			for range (d+1)*openings/draws - d*openings/draws {
				// Scores of pairs are multiples of 1/4, as in matches.
				loss.Rows[b] = append(loss.Rows[b], math.Round(4*(own+pair*random.NormFloat64())+random.Float64()-0.5)/4)
				worth.Rows[b] = append(worth.Rows[b], scale+pair*random.NormFloat64())
			}
		}
	}
	return loss, worth
}

// TestCoverageOfRandomEffects simulates studies whose effects vary as in a pilot study. It checks
// that about 95% of the intervals contain the true value, and that fewer do if the intervals are
// based on pairs alone. The short version uses fewer openings, and its bases and draws vary more.
func TestCoverageOfRandomEffects(t *testing.T) {
	trials, openings := 1200, 60
	if vectors.Long() {
		trials, openings = 6000, 700
	}
	scale := math.Sqrt(700 / float64(openings))
	for _, c := range []struct {
		name             string
		base, draw, pair float64
	}{{"noise", 0.011, 0.011, 0.25}, {"weights", 0.011, 0.03, 0.21}, {"no effect of base or draw", 0, 0, 0.23}} {
		var held [3]float64 // coverage for units, plies, and pairs alone
		for k := range trials {
			loss, worth := simulated(uint64(k), openings, scale*c.base, scale*c.draw, c.pair)
			for i, e := range []Estimate{loss.Estimate().Map(1/0.045, 0), loss.Over(worth), SampleOf(slices.Concat(loss.Rows...)).Estimate().Map(1/0.045, 0)} {
				held[i] += one(!e.Above(0.02/0.045) && !e.Below(0.02/0.045)) / float64(trials)
			}
		}
		t.Logf("%s: of %d studies the interval over units, of plies and over pairs alone holds %.3f", c.name, trials, held)
		if held[0] < 0.93 || held[0] > 0.97 || held[1] < 0.93 || held[1] > 0.98 {
			t.Errorf("%s: intervals over units and of plies hold the truth in %.3f, want .93 to .97 and .93 to .98", c.name, held[:2])
		}
		if c.base > 0 && held[2] > 0.92 {
			t.Errorf("%s: intervals over pairs alone hold the truth in %.3f: then units would not matter here", c.name, held[2])
		}
	}
	if e := (Sample{Rows: [][]float64{{1}, {2}, {3}}}).Over(SampleOf([]float64{0.1, -0.1, 0.05})); e.Known || e.Bounded {
		t.Errorf("a ratio over nothing is %v, want none", e)
	}
}

// TestBootstrap checks that the interval for the mean of many observations extends 1.96 standard
// errors to either side, and that the interval of equal observations has a positive width.
func TestBootstrap(t *testing.T) {
	x, random := slices.Repeat([]float64{0, 1}, 200), rand.New(rand.NewPCG(7, 7))
	want := 1.96 * 0.5 / 20
	if e := BootstrapRatio(x, nil, random); e.Value != 0.5 || math.Abs(e.Value-e.Low-want) > 0.1*want || math.Abs(e.High-e.Value-want) > 0.1*want {
		t.Errorf("%+v, want ± %v", e, want)
	}
	if e := BootstrapRatio([]float64{1, 1, 1}, []float64{2, 2, 2}, random); e.Value != 0.5 || e.Exact() {
		t.Errorf("three draws that are alike: %v", e)
	}
}

// TestArithmetic checks operations on estimates. Unknown values must remain unknown.
func TestArithmetic(t *testing.T) {
	a, none := Around(0.1, 0.02), Estimate{Lacks: "why"}
	for _, c := range []struct {
		name        string
		got         Estimate
		value, half float64
	}{
		{"a half", a.Times(Exactly(0.5)), 0.05, 0.01}, {"a product", Around(1, 0.3).Times(Around(2, 0.4)), 2, math.Sqrt(0.36 + 0.16 + 0.0144)},
		{"a difference", a.Less(Around(0.3, 0.015)), -0.2, 0.025}, {"a loss", a.Map(-2, 0.5), 0.3, 0.04},
		{"a ratio", Ratio([]float64{2, 4, 2, 4, 2, 4}, []float64{1, 2, 1, 2, 1, 2}).Widened(0.1), 2, 0.1},
	} {
		if e := c.got; !e.Bounded || math.Abs(e.Value-c.value) > 1e-12 || math.Abs(e.Error()-c.half) > 1e-12 || math.Abs(e.High-e.Low-2*c.half) > 1e-12 {
			t.Errorf("%s is %v, want %v ± %v", c.name, e, c.value, c.half)
		}
	}
	for _, e := range []Estimate{a.Times(none), a.Less(none), none.Map(100, 1)} {
		if e.Known || e.Bounded || e.Lacks != "why" {
			t.Errorf("of what is not known: %+v", e)
		}
	}
	for want, got := range map[string]string{"2.0 (1.0 to 3.0)": Around(0.02, 0.01).Range("%.1f", 100), "0.0": Exactly(-0.0001).Range("%.1f", 100), "0.3 (no interval: why)": Estimate{Value: 0.3, Known: true, Lacks: "why"}.Range("%.1f", 1)} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	// The p-value at the end of a 95% interval is .05.
	for _, c := range []struct {
		e    Estimate
		want float64
	}{{Around(1, 1), 0.05}, {Around(0, 1), 1}, {Exactly(3), 0}, {none, 1}} {
		if p := c.e.P(0); math.Abs(p-c.want) > 1e-9 {
			t.Errorf("p of %v at 0 is %v, want %v", c.e, p, c.want)
		}
	}
}

// TestFewDiffer checks that the interval of a ratio that depends on a few games is widened, and
// that other intervals remain the same.
func TestFewDiffer(t *testing.T) {
	regret, none := make([]float64, 100), make([]float64, 100)
	regret[3], regret[5] = 1, 3
	if e := FewDiffer(Ratio(none, regret), none, regret, Mean(regret)); !e.Bounded || math.Abs(e.High-3.0/100*3/0.04) > 1e-12 || e.Low != -e.High {
		t.Errorf("of 100 games without a difference: %v", e)
	}
	all := slices.Repeat([]float64{0, 1, 2}, 33)
	if e := FewDiffer(Ratio(all, all), all, all, Mean(all)); e.Value != 1 || e.Error() > 1e-9 {
		t.Errorf("a share of all: %v", e)
	}
}
