package study

import (
	"math"
	"slices"
	"testing"

	"plyfit/internal/vectors"
)

// equivalent is the greater p-value of two one-sided tests (Schuirmann 1987).
func equivalent(x []float64, margin float64) float64 {
	return max(TTest(x, Above, -margin), TTest(x, Below, margin))
}

func TestTTest(t *testing.T) {
	// Student's sleep data (1908), differences of two drugs: t = 4.0621, 9 degrees
	// of freedom, two-sided p = .002833; interval .70 to 2.46.
	x := []float64{1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4}
	if p := TTest(x, Equals, 0); math.Abs(p-0.002833) > 1e-6 {
		t.Errorf("p = %v, want .002833", p)
	}
	if p, q := TTest(x, Above, 0), TTest(x, Below, 0); math.Abs(p-0.002833/2) > 1e-6 || math.Abs(p+q-1) > 1e-12 {
		t.Errorf("one-sided p = %v and %v", p, q)
	}
	if i := TInterval(x); math.Abs(i.Low-0.7001) > 1e-3 || math.Abs(i.High-2.4599) > 1e-3 {
		t.Errorf("interval %v, want .7001 to 2.4599", i)
	}
	if p := equivalent(x, 3); p > 0.01 {
		t.Errorf("equivalent within 3: p = %v", p)
	}
	if p := equivalent(x, 1.5); p < 0.3 {
		t.Errorf("equivalent within 1.5, less than the mean: p = %v", p)
	}
	for _, c := range []struct {
		x    []float64
		want float64
	}{{[]float64{0, 0, 0}, 1}, {[]float64{1, 1, 1}, 0}, {[]float64{5}, 1}} {
		if p := TTest(c.x, Equals, 0); p != c.want {
			t.Errorf("%v: p = %v, want %v", c.x, p, c.want)
		}
	}
}

// randomEffects are the sizes of what varies in a study, as standard deviations in
// shares of the points: those measured, by a referee's pilot, of noise and of errors
// of weights.
type randomEffects struct {
	name             string
	base, draw, pair float64
}

// simulated is a study of eight base evaluations: what an error costs, opening by
// opening, and what one ply is worth.
func (e randomEffects) simulated(trial, bases, draws, openings int, truth, ply float64) (loss, worth Nested) {
	random := NewRand(uint64(trial), 0xc0be)
	loss, worth = make(Nested, bases), make(Nested, bases)
	for b := range bases {
		effect, scale := truth+e.base*random.NormFloat64(), ply+0.005*random.NormFloat64()
		for d := range draws {
			own := effect + e.draw*random.NormFloat64()
			for range (d+1)*openings/draws - d*openings/draws {
				// Scores of pairs are quarters, as a tally's are.
				score := math.Round(4*(own+e.pair*random.NormFloat64())+random.Float64()-0.5) / 4
				loss[b] = append(loss[b], score)
				worth[b] = append(worth[b], scale+e.pair*random.NormFloat64())
			}
		}
	}
	return loss, worth
}

// Intervals hold the truth in 93 to 97% of simulated studies whose random effects
// are as large as measured: eight base evaluations, twenty draws of an error a base
// on openings of their own, pairs. Intervals over pairs alone, as the study once
// had them, do not. (The short form has fewer openings and a scatter of bases and
// draws that is as large beside theirs.)
func TestCoverageOfRandomEffects(t *testing.T) {
	const bases, draws, truth, ply = 8, 20, 0.02, 0.045
	trials, openings := 1200, 60
	if vectors.Long() {
		trials, openings = 6000, 700
	}
	scale := math.Sqrt(700 / float64(openings))
	for _, e := range []randomEffects{{"noise", 0.011, 0.011, 0.25}, {"weights", 0.011, 0.03, 0.21}, {"no effect of base or draw", 0, 0, 0.23}} {
		e.base, e.draw = e.base*scale, e.draw*scale
		held, heldPairs, heldRatio, rejected := 0.0, 0.0, 0.0, 0.0
		for k := range trials {
			loss, worth := e.simulated(k, bases, draws, openings, truth, ply)
			holds := func(i Interval, v float64) float64 {
				if i.Low <= v && v <= i.High {
					return 1 / float64(trials)
				}
				return 0
			}
			held += holds(loss.Interval(), truth)
			heldPairs += holds(TInterval(slices.Concat(loss...)), truth)
			heldRatio += holds(Ratio(loss, worth), truth/ply)
			if TTest(loss.Means(), Equals, truth) < 0.05 {
				rejected += 1 / float64(trials)
			}
		}
		t.Logf("%s: of %d studies the interval over units holds %.3f, of plies %.3f, over pairs alone %.3f; a true level is rejected in %.3f", e.name, trials, held, heldRatio, heldPairs, rejected)
		if held < 0.93 || held > 0.97 {
			t.Errorf("%s: intervals over units hold the truth in %.3f, want .93 to .97", e.name, held)
		}
		if heldRatio < 0.93 || heldRatio > 0.98 {
			t.Errorf("%s: intervals of plies hold the truth in %.3f, want .93 to .98", e.name, heldRatio)
		}
		if e.base > 0 && heldPairs > 0.92 {
			t.Errorf("%s: intervals over pairs alone hold the truth in %.3f: then units would not matter here", e.name, heldPairs)
		}
		if rejected < 0.03 || rejected > 0.07 {
			t.Errorf("%s: a true level is rejected in %.3f, want .05", e.name, rejected)
		}
	}
}

func TestRatioNeedsADenominator(t *testing.T) {
	num, den := Nested{{1}, {2}, {3}}, Nested{{0.1}, {-0.1}, {0.05}}
	if i := Ratio(num, den); !math.IsInf(i.Low, -1) || !math.IsInf(i.High, 1) {
		t.Errorf("a ratio over nothing is %v, want no interval", i)
	}
}

func TestNormalisedElo(t *testing.T) {
	// Mean .75, standard deviation of a pair sqrt(.1875).
	want := 0.25 / (math.Sqrt2 * math.Sqrt(0.1875)) * 800 / math.Ln10
	if got := (Tally{1, 0, 0, 0, 3}).NormalisedElo(); math.Abs(got-want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
	if (Tally{0, 0, 10, 0, 0}).NormalisedElo() != 0 {
		t.Error("equal players differ")
	}
}
