package stats

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// The golden rows: pentanomial counts of matches of others, with the figures
// that fishtest and fastchess print for them.
func TestGoldenRows(t *testing.T) {
	for _, c := range []struct {
		counts               Pentanomial
		low, high            float64
		normalised, logistic float64
		elo                  float64
	}{
		{Pentanomial{39, 8843, 26675, 9240, 44}, .5, 2.5, 2.9417, .5555, 1.577},
		{Pentanomial{82, 1480, 6117, 1611, 106}, -.5, 2.5, 2.9519, 5.2780, 3.310},
		{Pentanomial{57, 265, 545, 354, 87}, 0, 5, 2.8973, 4.0982, 19.810},
		{Pentanomial{5, 30, 80, 45, 8}, 0, 10, .8403, 1.2293, 21.743},
	} {
		near := func(what string, got, want, within float64) {
			t.Helper()
			if math.Abs(got-want) > within {
				t.Errorf("%v: %s %.6f, want %v", c.counts, what, got, want)
			}
		}
		near("normalised LLR", SPRT{Low: c.low, High: c.high}.LLR(c.counts), c.normalised, 5e-5)
		near("logistic LLR", SPRT{Low: c.low, High: c.high, Scale: LogisticElo}.LLR(c.counts), c.logistic, 5e-5)
		near("Elo", Elo(c.counts.Mean()), c.elo, 5e-4)
	}
}

// Where nothing can be said the figures say so in words, whatever the counts.
func TestTooFewPairs(t *testing.T) {
	for _, c := range []Pentanomial{{}, {1}, {0, 0, 1}, {0, 0, 0, 0, 1}, {100}, {0, 0, 100}, {0, 0, 0, 0, 100}, {0, 0, 0, 1, 40}, {1, 0, 0, 0, 1}, {40, 1}} {
		v, _ := versusOf(c)
		for name, e := range map[string]Estimate{"Elo": v.Elo, "normalised": v.NormalisedElo, "LOS": v.LOS} {
			if !e.Bounded && e.Lacks == "" && name != "LOS" {
				t.Errorf("%v: %s has no interval and does not say why", c, name)
			}
			text, err := json.Marshal(e)
			if err != nil {
				t.Errorf("%v: %s: %v", c, name, err)
			}
			for _, s := range []string{e.String(), string(text)} {
				if strings.Contains(strings.ToLower(s), "nan") || strings.Contains(s, "Inf") {
					t.Errorf("%v: %s prints as %s", c, name, s)
				}
			}
			var back Estimate
			if err := json.Unmarshal(text, &back); err != nil || !sameEstimate(back, e) {
				t.Errorf("%v: %s: %s reads as %+v (%v), want %+v", c, name, text, back, err, e)
			}
		}
		for _, scale := range []Scale{Normalised, LogisticElo} {
			if llr := (SPRT{Low: -5, High: 5, Scale: scale}).LLR(c); math.IsNaN(llr) || math.IsInf(llr, 0) {
				t.Errorf("%v: LLR %v", c, llr)
			}
		}
	}
	for _, x := range [][]float64{nil, {1}, {1, 2}, {3, 3, 3, 3, 3, 3}} {
		if e := MeanOf(x); e.Bounded || e.Lacks == "" {
			t.Errorf("MeanOf(%v) = %+v, want no interval and a reason", x, e)
		}
	}
}

// Where all pairs are won the share of the points is bounded from below all the
// same: with 30 of them the chance of another kind is at most 11.6%.
func TestAllAlike(t *testing.T) {
	for _, c := range []struct {
		n               int
		each, low, high float64
	}{
		{30, 1, 0.884297, 1}, // 0.025^(1/30)
		{30, 0, 0, 0.115703},
		{30, 0.5, 0.442149, 0.557851},
		{4, 1, 0.397635, 1},
	} {
		var s Moments
		for range c.n {
			s.Add(c.each)
		}
		e := s.Estimate(c.n, Span{High: 1})
		if !e.Bounded || math.Abs(e.Low-c.low) > 1e-6 || math.Abs(e.High-c.high) > 1e-6 {
			t.Errorf("%d times %v: %+v, want [%v, %v]", c.n, c.each, e, c.low, c.high)
		}
	}
}

// Where the bounds are those of a score, or there are none, equal pairs give no
// interval: it is said that they are alike, in words and in JSON.
func TestAlikeInPoints(t *testing.T) {
	for _, in := range []Span{{Low: -4e6, High: 4e6, Score: true}, Anywhere} {
		var s Moments
		for range 6 {
			s.Add(0)
		}
		e := s.Estimate(6, in)
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if text, want := string(data), `{"value":0,"lacks":"all 6 pairs alike","alike":true}`; text != want {
			t.Errorf("%+v: %s, want %s", in, text, want)
		}
		if text, want := e.String(), "0 (all 6 pairs alike)"; text != want {
			t.Errorf("%+v: %q, want %q", in, text, want)
		}
		var back Estimate
		if err := json.Unmarshal(data, &back); err != nil || back != e {
			t.Errorf("%+v: %+v came back as %+v (%v)", in, e, back, err)
		}
		s.Add(9)
		if e := s.Estimate(7, in); !e.Bounded || e.Alike || e.Lacks != "" {
			t.Errorf("%+v: with a pair that differs %+v", in, e)
		}
	}
}

func sameEstimate(a, b Estimate) bool {
	if !a.Known {
		a.Value = b.Value
	}
	if !a.Bounded {
		a.Low, a.High = b.Low, b.High
	}
	return a == b
}

// Student's sleep data, group 2 minus group 1 (Biometrika 6, 1908): mean 1.58,
// 95% interval 0.7001 to 2.4599.
func TestMeanOf(t *testing.T) {
	e := MeanOf([]float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4})
	if math.Abs(e.Value-1.58) > 1e-9 || math.Abs(e.Low-0.7001142) > 1e-6 || math.Abs(e.High-2.4598858) > 1e-6 {
		t.Errorf("got %v [%v, %v]", e.Value, e.Low, e.High)
	}
}

func TestNoncentralT(t *testing.T) {
	// The definition T = (Z + mu)/sqrt(V/nu), as a sum over fine
	// steps of y, y^2 = V.
	direct := func(x, nu, mu float64) float64 {
		sum := 0.0
		scale := 1 / math.Sqrt(1+x*x/nu) // of the integrand, in y
		h := 1e-3 * scale
		for y := h; y < 40*scale; y += h {
			z := x*y/math.Sqrt(nu) - mu
			sum += math.Exp(nu*math.Log(y) - y*y/2 - z*z/2)
		}
		return math.Log(sum * h)
	}
	for _, nu := range []float64{1, 2, 5, 30, 200} {
		for _, x := range []float64{-30, -3, -0.1, 0, 0.7, 2, 12} {
			for _, mu := range []float64{0.3, -1, 4} {
				got := logNoncentralT(x, nu, mu) - logNoncentralT(x, nu, 0)
				want := direct(x, nu, mu) - direct(x, nu, 0)
				if math.Abs(got-want) > 1e-6*math.Max(1, math.Abs(want)) {
					t.Errorf("nu=%v x=%v mu=%v: log ratio %v, want %v", nu, x, mu, got, want)
				}
			}
		}
	}
}
