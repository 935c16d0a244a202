package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"plyfit/internal/vectors"
)

// TestStopped simulates matches that a test may end early, with three distributions of pairs, three
// tests, five true strengths and three maximum lengths. The short version uses one test, one length
// and two strengths. With fewer than 30 pairs, the usual estimates are used, as in package arena.
// The table in docs/matches.md shows the results of the long version.
func TestStopped(t *testing.T) {
	type tally struct{ early, covered, usual, above, accepted, lean, leanUsual float64 }
	shapes := []struct {
		name string
		p    [5]float64
	}{{"balanced", [5]float64{0.03, 0.2, 0.5, 0.22, 0.05}}, {"sharp", [5]float64{0.2, 0.1, 0.4, 0.1, 0.2}}, {"drawish", [5]float64{0.01, 0.05, 0.88, 0.05, 0.01}}}
	const printed = 0.0005 // estimates within this distance of the true mean count as half above it, because printed figures are rounded
	matches, settings, narrow, slack := 4000, 0, 0, 0.0
	if !vectors.Long() {
		matches, slack = 400, 0.022 // two standard errors
	}
	for _, most := range []int{100, 400, 100000} {
		for _, shape := range shapes {
			for _, b := range [][2]float64{{0, 20}, {0, 50}, {-10, 10}} {
				for _, truth := range []float64{b[0], (b[0] + b[1]) / 2, b[1], 2 * b[1], 4 * b[1]} {
					if !vectors.Long() && (most != 400 || b[1] != 50 || truth != 25 && truth != 100) {
						continue
					}
					test := vectors.Must(SPRT{Low: b[0], High: b[1]}.Check())
					p := Pentanomial(fitNormalised(shape.p, pairT(truth)))
					parts := make([]tally, runtime.GOMAXPROCS(0))
					var all sync.WaitGroup
					for w := range parts {
						all.Go(func() {
							for m := w; m < matches; m += len(parts) {
								counts, decision := stoppedMatch(test, p, most, rand.New(rand.NewPCG(uint64(m), uint64(7000+settings))))
								y := &parts[w]
								_, share := versusOf(counts)
								e := share
								if counts.Pairs() < FewestStopped {
									y.early++
								} else {
									e = test.Stopped(counts.Tilted(), most)
								}
								mean := p.Mean()
								y.covered += one(e.Low <= mean && mean <= e.High)
								y.usual += one(share.Low <= mean && mean <= share.High)
								y.above += (one(e.Value > mean-printed) + one(e.Value > mean+printed)) / 2
								if decision == AcceptHigh {
									y.accepted++
									y.lean += e.Value - mean
									y.leanUsual += share.Value - mean
								}
							}
						})
					}
					all.Wait()
					var y tally
					for _, part := range parts {
						y = tally{y.early + part.early, y.covered + part.covered, y.usual + part.usual, y.above + part.above, y.accepted + part.accepted, y.lean + part.lean, y.leanUsual + part.leanUsual}
					}
					n := float64(matches)
					covered, above := y.covered/n, y.above/n
					name := fmt.Sprintf("%d pairs, %s, test %v,%v, truth %v", most, shape.name, b[0], b[1], truth)
					t.Logf("%s: covered %.3f (usual %.3f), above %.3f, lean given H1 %+.4f (usual %+.4f) of %.0f, below 30 pairs %.3f",
						name, covered, y.usual/n, above, y.lean/y.accepted, y.leanUsual/y.accepted, y.accepted, y.early/n)
					if covered < 0.92-slack || covered > 0.975+slack || above < 0.43-slack || above > 0.57+slack {
						t.Errorf("%s: the interval holds the truth in %.3f, the estimate is above it in %.3f: want .92 to .975 and .43 to .57", name, covered, above)
					}
					settings++
					if covered >= 0.935 && covered <= 0.965 && above >= 0.46 && above <= 0.54 {
						narrow++
					}
				}
			}
		}
	}
	if t.Logf("%d of %d settings within .935 to .965 and .46 to .54", narrow, settings); vectors.Long() && 10*narrow < 9*settings {
		t.Errorf("want nine tenths")
	}
}

// stoppedMatch simulates pairs until the test decides or the maximum number of pairs (the parameter
// most) has been played.
func stoppedMatch(test SPRT, p Pentanomial, most int, rng *rand.Rand) (counts Pentanomial, d Decision) {
	d = Open
	for d == Open && counts.Pairs() < float64(most) {
		counts.Add(drawPair(rng, p))
		d = test.Decide(test.LLR(counts))
	}
	return counts, d
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// TestTuningFigures recomputes the corrected estimates in docs/results/tuning.md. Because the pair
// counts were not recorded, it uses the other figures printed there: Elo with its interval, the
// number of pairs and the maximum number of pairs.
func TestTuningFigures(t *testing.T) {
	for _, c := range []struct {
		elo, low, high float64
		pairs, most    int
		want           string
	}{
		{102, 55, 149, 93, 800, "100 (55 to 148)"},
		{33, 10, 56, 353, 1500, "30 (6 to 54)"},
		{-4, -21, 13, 651, 1000, "-1 (-19 to 18)"},
		{26, 5, 47, 400, 400, "24 (3 to 46)"},
		{235, 169, 322, 50, 1000, "236 (176 to 308)"},
		{142, 86, 198, 66, 1000, "140 (90 to 196)"},
		{180, 116, 244, 61, 1000, "180 (124 to 245)"},
		{39, 14, 64, 221, 1000, "36 (11 to 63)"},
		{58, 24, 92, 169, 1000, "55 (21 to 91)"},
		{40, 13, 67, 252, 1000, "37 (9 to 65)"},
		{79, 37, 121, 129, 1000, "76 (35 to 120)"},
		{57, 24, 90, 161, 1000, "55 (22 to 89)"},
	} {
		n := float64(c.pairs)
		sd := (score(c.high) - score(c.low)) / 2 / TQuantile95(n-1) * math.Sqrt(n)
		test := vectors.Must(SPRT{High: 20}.Check())
		e := test.Stopped(NormalTilted(n, score(c.elo)-0.5, sd), c.most)
		got := fmt.Sprintf("%.0f (%.0f to %.0f)", Elo(e.Value+0.5), Elo(e.Low+0.5), Elo(e.High+0.5))
		if got != c.want {
			t.Errorf("%v: %s, want %s", c, got, c.want)
		}
	}
}

// TestHypotheses checks that the fitted distributions have the difference in strength of their
// hypothesis, up to the widest bounds that an SPRT accepts.
func TestHypotheses(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var c Pentanomial
		for i := range c {
			c[i] = math.Pow(random.Float64(), 6) + 1e-4
		}
		share, _ := c.shares()
		for elo := -widestElo; elo <= widestElo; elo += 20 {
			p := Pentanomial(fitNormalised(share, pairT(float64(elo))))
			if got := (p.Mean() - 0.5) / p.Deviation(); math.Abs(got-pairT(float64(elo))) > 1e-3 {
				t.Fatalf("%v: %d Elo is fitted with %v standard deviations, want %v", c, elo, got, pairT(float64(elo)))
			}
		}
	}
}
