package stats

import (
	"math/rand/v2"
	"testing"

	"plyfit/internal/vectors"
)

func drawPair(rng *rand.Rand, p [5]float64) float64 {
	u := rng.Float64()
	for i, x := range p {
		if u -= x; u < 0 {
			return float64(i) / 2
		}
	}
	return 2
}

// TestErrorRates checks by simulation that error rates do not exceed their nominal values when one
// of the hypotheses is true.
func TestErrorRates(t *testing.T) {
	const tests = 10000 // the error rates are 4.2 to 4.9%
	if !vectors.Long() {
		t.Skip("simulates 60,000 tests")
	}
	drawish := [5]float64{0.03, 0.2, 0.5, 0.22, 0.05}
	wild := [5]float64{0.2, 0.1, 0.4, 0.1, 0.2}
	for _, c := range []struct {
		name  string
		base  [5]float64
		test  SPRT
		truth float64
		wrong Decision
	}{
		{"normalised, H0 true", drawish, SPRT{Low: 0, High: 40}, 0, AcceptHigh},
		{"normalised, H1 true", drawish, SPRT{Low: 0, High: 40}, 40, AcceptLow},
		{"normalised, wild, H0 true", wild, SPRT{Low: -10, High: 30}, -10, AcceptHigh},
		{"normalised, wild, H1 true", wild, SPRT{Low: -10, High: 30}, 30, AcceptLow},
		{"logistic, H0 true", drawish, SPRT{Low: 0, High: 20, Scale: LogisticElo}, 0, AcceptHigh},
		{"logistic, H1 true", drawish, SPRT{Low: 0, High: 20, Scale: LogisticElo}, 20, AcceptLow},
	} {
		test := vectors.Must(c.test.Check())
		p := fitNormalised(c.base, pairT(c.truth))
		if test.Scale == LogisticElo {
			p = fitMean(c.base, score(c.truth))
		}
		lower, upper := test.Bounds()
		rng := rand.New(rand.NewPCG(7, 1))
		wrong, pairs := 0, 0
		for range tests {
			var counts Pentanomial
			decision := Open
			for decision == Open {
				counts.Add(drawPair(rng, p))
				pairs++
				switch llr := test.LLR(counts); {
				case llr <= lower:
					decision = AcceptLow
				case llr >= upper:
					decision = AcceptHigh
				}
			}
			if decision == c.wrong {
				wrong++
			}
		}
		rate := float64(wrong) / float64(tests)
		t.Logf("%s: wrong in %.2f%% of %d, %.0f pairs on average", c.name, 100*rate, tests, float64(pairs)/float64(tests))
		if rate > 0.05 {
			t.Errorf("%s: wrong in %.2f%%, want at most 5%%", c.name, 100*rate)
		}
	}
}

// versusOf returns the playing strength and the fraction of the points for pairs that all have
// different openings.
func versusOf(counts Pentanomial) (*Versus, Estimate) {
	o, points, squares := NewOpeningCounts(), Clustered{}, Clustered{}
	for i, n := range counts {
		for range int(n) {
			opening, before := o.Add(uint64(o.Len()), 0, 0)
			points.Add(pairScores[i], o, opening, before)
			squares.Add(pairScores[i]*pairScores[i], o, opening, before)
		}
	}
	share, ratio := points.Estimate(o, Span{High: 1}), Spread{}
	if counts.Deviation() > 0 {
		ratio = points.Influence(&squares, counts, o).Spread(o)
	}
	return NewVersus(counts, share, points.Spread(o), ratio, false), share
}

// TestIntervalsCover checks the coverage of the intervals for matches from ten distributions of
// pairs. Intervals of the score, Elo and normalised Elo must contain the true value in 93 to 97% of
// matches with 200 pairs, and in at least 90% with 20 or 50 pairs. The short version allows larger
// deviations. Figures without an interval are not counted. If decisive outcomes are rare, the
// coverage of Student's t is lower (see docs/matches.md). For such distributions, rare and rareElse
// are the numbers of pairs from which the coverage is checked.
func TestIntervalsCover(t *testing.T) {
	matches, slack := 400, 0.035
	if vectors.Long() {
		matches, slack = 4000, 0
	}
	for _, c := range []struct {
		p        Pentanomial
		rare     int // minimum numbers of pairs for normalised Elo and for the other scales
		rareElse int
	}{
		{Pentanomial{0, 0, 0.05, 0.15, 0.8}, 0, 50},
		{Pentanomial{0.001, 0.02, 0.6, 0.3, 0.079}, 0, 0},
		{Pentanomial{0.2, 0.2, 0.2, 0.2, 0.2}, 0, 0},
		{Pentanomial{0.05, 0.2, 0.5, 0.2, 0.05}, 0, 0},
		{Pentanomial{0.01, 0.05, 0.88, 0.05, 0.01}, 200, 200},
		{Pentanomial{0, 0.02, 0.96, 0.02, 0}, 1000, 1000},
		{Pentanomial{0, 0, 0.9, 0, 0.1}, 0, 500},
		{Pentanomial{0.3, 0.1, 0.2, 0.1, 0.3}, 0, 0},
		{Pentanomial{0, 0.1, 0.3, 0.4, 0.2}, 0, 0},
		{Pentanomial{0.02, 0.08, 0.2, 0.3, 0.4}, 0, 0},
	} {
		share, normalised := c.p.Mean(), c.p.NormalisedElo()
		elo := Elo(share)
		for _, pairs := range []int{20, 50, 200} {
			rng := rand.New(rand.NewPCG(41, uint64(pairs)))
			hits, asked := map[string]int{}, map[string]int{}
			for range matches {
				var counts Pentanomial
				for range pairs {
					counts.Add(drawPair(rng, c.p))
				}
				v, points := versusOf(counts)
				if counts.Deviation() == 0 && v.NormalisedElo.Bounded {
					t.Fatalf("%v: an interval of normalised Elo without variance", counts)
				}
				for name, e := range map[string]Estimate{"score": points, "Elo": v.Elo, "normalised Elo": v.NormalisedElo} {
					truth := map[string]float64{"score": share, "Elo": elo, "normalised Elo": normalised}[name]
					if e.Bounded {
						asked[name]++
						if e.Low <= truth && truth <= e.High {
							hits[name]++
						}
					}
				}
			}
			low, high := 0.9, 1.0
			if pairs == 200 {
				low, high = 0.93, 0.97
			}
			for name, n := range asked {
				rare := c.rareElse
				if name == "normalised Elo" {
					rare = c.rare
				}
				rate := float64(hits[name]) / float64(n)
				t.Logf("%v, %d pairs: %s %.3f of %d", c.p, pairs, name, rate, n)
				if pairs >= rare && (rate < low-slack || rate > high+slack) {
					t.Errorf("%v, %d pairs: the interval of %s holds the truth in %.3f, want %v to %v", c.p, pairs, name, rate, low, high)
				}
			}
		}
	}
}
