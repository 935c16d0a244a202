package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// gather puts observations by opening into what a match gathers.
func gather(byOpening ...[]float64) (*Clustered, *OpeningCounts) {
	c, o := &Clustered{}, NewOpeningCounts()
	for turn, any := 0, true; any; turn++ { // a book gone through again and again
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

// Openings of equal size: the variance is that of their means, whatever varies
// within them, with one degree of freedom less than there are openings.
func TestSpreadEqual(t *testing.T) {
	c, o := gather([]float64{1, 3, 2}, []float64{5, 5, 8}, []float64{0, 1, -1}, []float64{2, 2, 2})
	u := c.Spread(o)
	// Means 2, 6, 0, 2: variance 19/3, a quarter of it the mean's.
	if want := math.Sqrt(19. / 12); math.Abs(u.Err-want) > 1e-12 || math.Abs(u.Freedom-3) > 1e-9 || u.Units != 4 {
		t.Errorf("error %v, %v degrees of freedom, %d units; want %v, 3, 4", u.Err, u.Freedom, u.Units, want)
	}
}

// The shortcut over openings of equal size is the formula over all of them.
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

// longSpread is the formula as it stands in the papers, over all openings and
// pairs of them.
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

// An opening that is replayed with the same result adds nothing, and one that
// differs once in three hundred pairs next to nothing: three openings stay three.
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
	// Openings of one mean are no certainty.
	c, o = gather([]float64{0, 1}, []float64{1, 0}, []float64{0, 1}, []float64{1, 0})
	if e := c.Estimate(o, Span{High: 1}); !e.Bounded || e.Error() < 0.4 {
		t.Errorf("openings of one mean: %v", e)
	}
}

// With an opening for each pair both tests are what they were; with openings
// that repeat, equal results change nothing.
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
		// What is left is Student's doubt about a variance of 59 degrees of
		// freedom, and n in place of n-1.
		if math.Abs(got-want) > 0.05*math.Abs(want) || math.Abs(gotT-wantT) > 0.02*math.Abs(wantT) {
			t.Errorf("%d times: LLR %v, want %v; of t %v, want %v", repeats, got, want, gotT, wantT)
		}
		if repeats == 1 && (math.Abs(got-want) > 1e-9 || math.Abs(gotT-wantT) > 1e-9) {
			t.Errorf("once: LLR %v, want %v; of t %v, want %v", got, want, gotT, wantT)
		}
	}
}
