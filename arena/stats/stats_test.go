package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestGoldenRows takes pentanomial counts from other projects' matches and compares the results
// with the figures printed by fishtest and fastchess.
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
	// The mean is .75 and the standard deviation of a pair is sqrt(.1875).
	got, even := Pentanomial{1, 0, 0, 0, 3}.NormalisedElo(), Pentanomial{2: 10}.NormalisedElo()
	if math.Abs(got-0.25/math.Sqrt(0.375)*800/math.Ln10) > 1e-9 || even != 0 {
		t.Errorf("normalised Elo %v, between equals %v", got, even)
	}
}

// TestTooFewPairs checks that a missing interval has a reason, and that no figure is NaN or
// infinite. Only LOS may lack an interval without giving a reason.
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

// TestAllAlike checks that the fraction of the points has a lower bound if all pairs were won.
// After 30 such pairs, other outcomes have a probability of at most 11.6%.
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

func sameEstimate(a, b Estimate) bool {
	if !a.Known {
		a.Value = b.Value
	}
	if !a.Bounded {
		a.Low, a.High = b.Low, b.High
	}
	return a == b
}

func TestNoncentralT(t *testing.T) {
	// This evaluates the definition T = (Z + mu)/sqrt(V/nu) as a sum over small steps of y, where
	// y^2 = V.
	direct := func(x, nu, mu float64) float64 {
		sum := 0.0
		scale := 1 / math.Sqrt(1+x*x/nu) // width of the integrand in y
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

// gather adds observations grouped by opening, as a match does.
func gather(byOpening ...[]float64) (*Clustered, *OpeningCounts) {
	c, o := &Clustered{}, NewOpeningCounts()
	for turn, any := 0, true; any; turn++ { // openings take turns, as in a book
		any = false
		for k, xs := range byOpening {
			if turn < len(xs) {
				number, before := o.Add(uint64(k), 1, uint64(turn))
				c.Add(xs[turn], o, number, before)
				any = true
			}
		}
	}
	return c, o
}

// TestSpreadEqual checks openings with equal numbers of pairs. The variance must be that of the
// openings' means, regardless of the variation within openings, and must have one degree of freedom
// fewer than there are openings.
func TestSpreadEqual(t *testing.T) {
	c, o := gather([]float64{1, 3, 2}, []float64{5, 5, 8}, []float64{0, 1, -1}, []float64{2, 2, 2})
	u := c.Spread(o)
	// The means are 2, 6, 0 and 2. Their variance is 19/3, and the variance of their mean is a
	// quarter of that.
	if want := math.Sqrt(19. / 12); math.Abs(u.Err-want) > 1e-12 || math.Abs(u.Freedom-3) > 1e-9 || u.Units != 4 {
		t.Errorf("error %v, %v degrees of freedom, %d units; want %v, 3, 4", u.Err, u.Freedom, u.Units, want)
	}
}

// TestSpreadUnequal checks that the efficient computation agrees with the formula applied to all
// openings.
func TestSpreadUnequal(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 50 {
		var groups [][]float64
		for range 4 + rng.IntN(12) {
			var xs []float64
			u := rng.NormFloat64()
			for range 1 + rng.IntN(5) {
				xs = append(xs, 100+u+rng.NormFloat64())
			}
			groups = append(groups, xs)
		}
		groups[0] = append(groups[0], 103, 99)
		c, o := gather(groups...)
		got := c.Spread(o)
		want := longSpread(groups)
		if math.Abs(got.Err-want.Err) > 1e-8*want.Err || math.Abs(got.Freedom-want.Freedom) > 1e-8*want.Freedom ||
			math.Abs(got.Effective-want.Effective) > 1e-8*want.Effective {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// longSpread evaluates the published formula with loops over all openings and all pairs of
// openings.
func longSpread(groups [][]float64) Spread {
	n, mean, sizes := 0., 0., 0.
	for _, xs := range groups {
		n += float64(len(xs))
		sizes += float64(len(xs) * len(xs))
		for _, x := range xs {
			mean += x
		}
	}
	mean /= n
	k := float64(len(groups))
	between, within := 0., 0.
	for _, xs := range groups {
		m := 0.
		for _, x := range xs {
			m += x / float64(len(xs))
		}
		between += float64(len(xs)) * (m - mean) * (m - mean) / (k - 1)
		for _, x := range xs {
			within += (x - m) * (x - m) / (n - k)
		}
	}
	random := math.Max(0, (between-within)/((n-sizes/n)/(k-1)))
	rho := random / (random + within)
	var vs []float64
	v := 0.
	for _, xs := range groups {
		size := float64(len(xs))
		vs = append(vs, size*(1+(size-1)*rho))
		v += size * (1 + (size-1)*rho)
	}
	variance, all := 0., 0.
	cov := func(g, h int) float64 {
		fg, fh := float64(len(groups[g]))/n, float64(len(groups[h]))/n
		same := 0.
		if g == h {
			same = vs[g]
		}
		return same - fh*vs[g] - fg*vs[h] + fg*fh*v
	}
	for g, xs := range groups {
		s := 0.
		for _, x := range xs {
			s += x - mean
		}
		cg := vs[g] / cov(g, g)
		variance += cg * s * s
		for h := range groups {
			all += cg * vs[h] / cov(h, h) * cov(g, h) * cov(g, h)
		}
	}
	return Spread{Err: math.Sqrt(variance) / n, Freedom: math.Min(n-1, math.Max(1, v*v/all)), Effective: n / (1 + (sizes/n-1)*rho)}
}

// TestOpeningsAreEvidence checks that repeating an opening with the same result adds no
// information, and that one different result among five hundred pairs adds almost none.
func TestOpeningsAreEvidence(t *testing.T) {
	once := [][]float64{{0}, {0.5}, {1}, {0.25}, {0.5}}
	var often [][]float64
	for _, xs := range once {
		var ys []float64
		for range 100 {
			ys = append(ys, xs[0])
		}
		often = append(often, ys)
	}
	c, o := gather(once...)
	want := c.Estimate(o, Span{High: 1})
	c, o = gather(often...)
	got := c.Estimate(o, Span{High: 1})
	if math.Abs(got.Low-want.Low) > 1e-9 || math.Abs(got.High-want.High) > 1e-9 || math.Abs(c.Spread(o).Effective-5) > 1e-9 {
		t.Errorf("a hundred times: %v, once: %v; worth %v pairs", got, want, c.Spread(o).Effective)
	}
	often[1][7] = 0.75
	c, o = gather(often...)
	if e := c.Estimate(o, Span{High: 1}); math.Abs(e.Error()-want.Error()) > 0.01 {
		t.Errorf("one pair of 500 differs: %v, before %v", e, want)
	}
	c, o = gather(often[:3]...)
	if e := c.Estimate(o, Span{High: 1}); e.Bounded || e.Lacks != "too few openings: 3 with 300 pairs, want at least 4" {
		t.Errorf("three openings: %v", e)
	}
	// Equal means of all openings do not imply certainty.
	c, o = gather([]float64{0, 1}, []float64{1, 0}, []float64{0, 1}, []float64{1, 0})
	if e := c.Estimate(o, Span{High: 1}); !e.Bounded || e.Error() < 0.4 {
		t.Errorf("openings of one mean: %v", e)
	}
}

// TestClusteredTests checks that the clustered tests agree with the plain ones if each pair has its
// own opening, and that repeating openings with equal results does not change them.
func TestClusteredTests(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	test := SPRT{Low: 0, High: 30}
	for _, repeats := range []int{1, 20} {
		var counts, once Pentanomial
		c, o := &Clustered{}, NewOpeningCounts()
		var s Moments
		for k := range 60 {
			points := drawPair(rng, [5]float64{0.1, 0.2, 0.3, 0.25, 0.15})
			once.Add(points)
			s.Add(points / 2)
			for range repeats {
				counts.Add(points)
				number, before := o.Add(uint64(k), 1, 0)
				c.Add(points/2, o, number, before)
			}
		}
		u := c.Spread(o)
		want, got := test.LLR(once), test.ClusteredLLR(counts, u)
		wantT, gotT := test.TLLR(s.n, s.mean-0.5, s.Deviation()), test.ClusteredTLLR(c.mean-0.5, c.Deviation(), u)
		// The remaining difference is due to the 59 degrees of freedom of the variance, and to
		// dividing by n instead of n-1.
		if math.Abs(got-want) > 0.05*math.Abs(want) || math.Abs(gotT-wantT) > 0.02*math.Abs(wantT) {
			t.Errorf("%d times: LLR %v, want %v; of t %v, want %v", repeats, got, want, gotT, wantT)
		}
		if repeats == 1 && (math.Abs(got-want) > 1e-9 || math.Abs(gotT-wantT) > 1e-9) {
			t.Errorf("once: LLR %v, want %v; of t %v, want %v", got, want, gotT, wantT)
		}
	}
}

func TestHolm(t *testing.T) {
	// Holm's rule by hand: .005, .01, .03 and .04 are multiplied by 4, 3, 2 and 1.
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	want := []float64{0.03, 0.06, 0.06, 0.02}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("Holm gives %v, want %v", got, want)
		}
	}
	if got := Holm([]float64{0.9, 0.8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("adjusted p-values above 1: %v", got)
	}
}

// TestRateExact checks that scores predicted from ratings lead back to these ratings.
func TestRateExact(t *testing.T) {
	want := []float64{120, 35, 0, -40, -115}
	var encounters []Encounter
	for i := range want {
		for k := i + 1; k < len(want); k++ {
			encounters = append(encounters, Encounter{A: i, B: k, Pairs: float64(20 * (i + k)), Score: score(want[i] - want[k])})
		}
	}
	got, note, err := Rate(len(want), encounters)
	if err != nil || note != "" {
		t.Fatal(err, note)
	}
	for i, r := range got {
		if math.Abs(r-want[i]) > 1e-5 {
			t.Errorf("entrant %d: rating %v, want %v", i, r, want[i])
		}
	}
}

// TestRateExtremes checks that one drawn pair per encounter is added, with a note, if an entrant
// has won all its games. Entrants that are not connected by games must cause an error.
func TestRateExtremes(t *testing.T) {
	met := []Encounter{{A: 0, B: 1, Pairs: 4, Score: 1}, {A: 1, B: 2, Pairs: 50, Score: 0.5}, {A: 0, B: 2, Pairs: 50, Score: 1}}
	drawn := []Encounter{{A: 0, B: 1, Pairs: 5, Score: 4.5 / 5}, {A: 1, B: 2, Pairs: 51, Score: 0.5}, {A: 0, B: 2, Pairs: 51, Score: 50.5 / 51}}
	r, note, err := Rate(3, met)
	want, none, _ := Rate(3, drawn)
	if err != nil || note == "" || none != "" || !slices.Equal(r, want) || r[0] < 300 {
		t.Errorf("%v, note %q, error %v, want %v", r, note, err, want)
	}
	if _, _, err := Rate(4, []Encounter{{A: 0, B: 1, Pairs: 9, Score: 0.5}, {A: 2, B: 3, Pairs: 9, Score: 0.5}}); err == nil || !strings.Contains(err.Error(), "entrants 1 and 3") {
		t.Errorf("two islands: error %v", err)
	}
}
