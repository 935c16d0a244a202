package study

import (
	"context"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"plyfit/arena/stats"
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
	if p := TTest(x, equals, 0); math.Abs(p-0.002833) > 1e-6 {
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
		if p := TTest(c.x, equals, 0); p != c.want {
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
			heldRatio += holds(ratioOfMeans(loss, worth), truth/ply)
			if TTest(loss.Means(), equals, truth) < 0.05 {
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

// The interval of a mean of many observations reaches 1.96 standard errors to either side.
func TestMeanOf(t *testing.T) {
	x := make([]float64, 400)
	for i := range x {
		x[i] = float64(i % 2)
	}
	want := 1.96 * 0.5 / 20
	if m := MeanOf(x, 7); m.Value != 0.5 || math.Abs(m.Value-m.Low-want) > 0.1*want || math.Abs(m.High-m.Value-want) > 0.1*want {
		t.Errorf("%+v, want ± %v", m, want)
	}
}

func TestRatioNeedsADenominator(t *testing.T) {
	num, den := Nested{{1}, {2}, {3}}, Nested{{0.1}, {-0.1}, {0.05}}
	if i := ratioOfMeans(num, den); !math.IsInf(i.Low, -1) || !math.IsInf(i.High, 1) {
		t.Errorf("a ratio over nothing is %v, want no interval", i)
	}
}

func TestNormalisedElo(t *testing.T) {
	// Mean .75, standard deviation of a pair sqrt(.1875).
	want := 0.25 / (math.Sqrt2 * math.Sqrt(0.1875)) * 800 / math.Ln10
	if got := (stats.Pentanomial{1, 0, 0, 0, 3}).NormalisedElo(); math.Abs(got-want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
	if (stats.Pentanomial{0, 0, 10, 0, 0}).NormalisedElo() != 0 {
		t.Error("equal players differ")
	}
}

// The p-value of a level follows from a 95% interval: at its end it is .05, and where
// nothing was sampled it is 0.
func TestPOfInterval(t *testing.T) {
	for _, c := range []struct {
		i    Interval
		want float64
	}{
		{Interval{1, 0, 2}, 0.05},
		{Interval{0, -1, 1}, 1},
		{Exactly(3), 0},
		{Interval{1, math.Inf(-1), math.Inf(1)}, 1},
	} {
		if got := c.i.p(0); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("p of %v at 0 is %v, want %v", c.i, got, c.want)
		}
	}
}

// An interval inside the smallest effect of interest is negligible; one that leaves it
// is not decided, and one that decides stays as it was.
func TestOrNegligible(t *testing.T) {
	for _, c := range []struct {
		i    Interval
		want Support
	}{
		{Interval{0.001, -0.010, 0.012}, negligible},
		{Interval{0.001, -0.030, 0.032}, NotDecided},
		{Interval{0.010, 0.005, 0.015}, Supported},
	} {
		v := Decide("", c.i, Above, 0, "").OrNegligible(c.i, 0.02)
		if v.Support != c.want {
			t.Errorf("%v: %s, want %s", c.i, v.Support, c.want)
		}
		if v.Support == negligible && !(v.P < 0.025) {
			t.Errorf("%v: negligible with p = %v", c.i, v.P)
		}
	}
}

// One claim in twenty that looks supported by luck does not survive the correction;
// a clear one does, and exact figures count for nothing in it.
func TestFindingsAreCorrected(t *testing.T) {
	f := &Results{}
	for range 19 {
		f.Findings = append(f.Findings, Decide("null", Interval{0, -1, 1}, Above, 0, ""))
	}
	f.Findings = append(f.Findings,
		Decide("by luck", Interval{1, 0.02, 1.98}, Above, 0, ""),
		Decide("clear", Interval{1, 0.8, 1.2}, Above, 0, ""),
		Decide("exact", Exactly(1), Above, 0, ""))
	if f.Findings[19].Support != Supported {
		t.Fatalf("taken alone the claim is %s: this test shows nothing", f.Findings[19].Support)
	}
	f.correct()
	for i, want := range map[int]Support{19: NotDecided, 20: Supported, 21: Supported} {
		if v := f.Findings[i]; v.Support != want {
			t.Errorf("%s: %s, want %s", v.Claim, v.Support, want)
		}
	}
}

// losing is a cell of so many pairs, each of which loses about the mean, with a scatter
// that the other cell of a contrast shares.
func losing(mean, own float64, seed uint64) Losses {
	common, random := NewRand(7), NewRand(seed)
	row := make([]float64, 4000)
	for i := range row {
		row[i] = mean + 0.1*common.NormFloat64() + own*random.NormFloat64()
	}
	return Losses{Nested: Nested{row}}
}

// Whether two planners lose the same is decided by the ratio of their losses: a margin
// in points would hold of any losses that are smaller than it.
func TestSame(t *testing.T) {
	exact := func(x float64) Losses { return Losses{Nested{{x}}, true} }
	for _, c := range []struct {
		name string
		Contrast
		want Support
	}{
		{"alike", Contrast{losing(0.1, 0.01, 1), losing(0.1, 0.01, 2)}, Supported},
		{"half as much again, though within .02", Contrast{losing(0.015, 0.01, 1), losing(0.010, 0.01, 2)}, Contradicted},
		{"twice as much, though within .02", Contrast{exact(0.0182), exact(0.0096)}, Contradicted},
		{"within a quarter", Contrast{exact(0.0231), exact(0.0275)}, Supported},
		{"too few to tell", Contrast{losing(0.01, 1, 1), losing(0.01, 1, 2)}, NotDecided},
		{"one gains what the other loses", Contrast{exact(0.0095), exact(-0.0050)}, Contradicted},
		{"nothing is lost", Contrast{exact(0), exact(0)}, NotDecided},
		{"four times as much", Contrast{losing(0.4, 0.01, 1), losing(0.1, 0.01, 2)}, Contradicted},
	} {
		if v := c.Same("same"); v.Support != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, v.Support, v.Figure, c.want)
		}
	}
}

// Pairs that all ended even are no proof that nothing is lost: the interval keeps a width
// of three over their number, no claim is contradicted or shown by it, and a cell is
// exact for what it is, not for what came of it.
func TestTiesAreNotExact(t *testing.T) {
	even := Losses{Nested: Nested{make([]float64, 20)}}
	if i := even.Interval(); i.Exact() || math.Abs(i.High-3.0/20) > 1e-12 || i.Low != -i.High {
		t.Errorf("20 even pairs: %v, want 3/20 to either side", i)
	}
	if v := even.Costs("costs", losing(0.3, 0.01, 1)); v.Support != NotDecided {
		t.Errorf("20 even pairs: %s (%s)", v.Support, v.Figure)
	}
	if v := (Contrast{even, even}).Same("same"); v.Support != NotDecided {
		t.Errorf("10 even pairs each: %s (%s)", v.Support, v.Figure)
	}
	if p := equivalent(make([]float64, 20), 0.02); p < 0.5 {
		t.Errorf("equivalent within .02 by 20 even pairs: p = %v", p)
	}
	if p := equivalent(make([]float64, 400), 0.02); p > 0.001 {
		t.Errorf("equivalent within .02 by 400 even pairs: p = %v", p)
	}
	even.Exact = true
	if i := even.Interval(); !i.Exact() {
		t.Errorf("a theorem's cell: %v", i)
	}
	if i := RatioOf([]float64{1, 1, 1}, []float64{2, 2, 2}, 1); i.Exact() {
		t.Errorf("three draws that are alike: %v", i)
	}
}

// A loss is negligible beside what no evaluation at all costs, and where that is not
// known there is no such verdict.
func TestNegligibleIsRelative(t *testing.T) {
	small := losing(0.0005, 0, 1)
	small.Nested[0] = append([]float64(nil), small.Nested[0]...)
	for _, c := range []struct {
		nothing Losses
		want    Support
	}{{losing(0.4, 0.01, 2), negligible}, {losing(0.02, 0.01, 2), NotDecided}, {losing(0, 1, 2), NotDecided}} {
		if v := small.Costs("costs", c.nothing); v.Support != c.want {
			t.Errorf("%s: %s, want %s", v.Figure, v.Support, c.want)
		}
	}
}

// Where an instrument check fails, no finding is given, and the headline says why.
func TestFailedCheckRefusesFindings(t *testing.T) {
	for _, passed := range []bool{true, false} {
		e := Experiment{Name: "planted", Run: func(context.Context, *Session) (*Results, error) {
			return &Results{Headline: "all is well", Checks: []Check{{"identity", true, "0"}, {"depth 1", passed, "-.107"}},
				Findings: []Finding{Decide("noise costs less", Interval{-0.1, -0.12, -0.08}, Below, 0, "")}}, nil
		}}
		s := &Session{Dir: t.TempDir(), Log: io.Discard, Quiet: true}
		f := vectors.Must(s.Run(context.Background(), e))
		if passed && (f.Findings[0].Support != Supported || f.Headline != "all is well" || checksLine(f.Checks) != "Instrument checks: 2 of 2 pass.") {
			t.Errorf("checks pass: %v, %q, %q", f.Findings[0], f.Headline, checksLine(f.Checks))
		}
		if !passed && (f.Findings[0].Support != refused || !strings.Contains(f.Headline, "depth 1 (-.107)")) {
			t.Errorf("a check fails: %v, %q", f.Findings[0], f.Headline)
		}
	}
}
