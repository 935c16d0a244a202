package study

import (
	"context"
	"io"
	"strings"
	"testing"

	"plyfit/arena/stats"
	"plyfit/internal/vectors"
)

func TestDecide(t *testing.T) {
	one, none := stats.Around(1, 0.5), stats.Exactly(0)
	for _, c := range []struct {
		e     stats.Estimate
		holds func(stats.Estimate, float64) bool
		want  Support
	}{
		{one, stats.Estimate.Above, Supported}, {one, stats.Estimate.Below, Contradicted}, {one.Widened(2), stats.Estimate.Above, NotDecided}, {one.Widened(2), stats.Estimate.Below, NotDecided},
		{one.Map(-1, 0), stats.Estimate.Below, Supported}, {none, stats.Estimate.Above, Contradicted}, {none, stats.Estimate.Below, Contradicted}, {stats.SampleOf([]float64{1}).Estimate(), stats.Estimate.Above, NotDecided},
	} {
		if got := Decide("", c.e, c.holds, 0, "").Support; got != c.want {
			t.Errorf("%+v: %s, want %s", c.e, got, c.want)
		}
	}
}

// TestFindingsAreCorrected checks that a claim that is supported only by chance does not survive
// the correction, that a clear claim does, and that exact estimates do not affect the correction.
func TestFindingsAreCorrected(t *testing.T) {
	f := &Results{}
	for range 19 {
		f.Findings = append(f.Findings, Decide("null", stats.Around(0, 1), stats.Estimate.Above, 0, ""))
	}
	f.Findings = append(f.Findings,
		Decide("by luck", stats.Around(1, 0.98), stats.Estimate.Above, 0, ""),
		Decide("clear", stats.Around(1, 0.2), stats.Estimate.Above, 0, ""),
		Decide("exact", stats.Exactly(1), stats.Estimate.Above, 0, ""))
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

// even contains pairs that are all even.
var even = stats.SampleOf(make([]float64, 20))

// losing returns a cell of 4,000 pairs with approximately the given mean loss. Part of the
// variation is shared with the other cell of a contrast.
func losing(mean, own float64, seed uint64) stats.Sample {
	common, random := NewRand(7), NewRand(seed)
	row := make([]float64, 4000)
	for i := range row {
		row[i] = mean + 0.1*common.NormFloat64() + own*random.NormFloat64()
	}
	return stats.SampleOf(row)
}

// TestSame checks that the equality of two losses is decided by their ratio, because a margin in
// points would make all losses below it equal. Even pairs must not decide anything.
func TestSame(t *testing.T) {
	exact := func(x float64) stats.Sample { return stats.Sample{Rows: [][]float64{{x}}, Exact: true} }
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
		{"even pairs", Contrast{even, even}, NotDecided},
		{"nothing is lost", Contrast{exact(0), exact(0)}, NotDecided},
		{"four times as much", Contrast{losing(0.4, 0.01, 1), losing(0.1, 0.01, 2)}, Contradicted},
	} {
		if v := c.Same("same"); v.Support != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, v.Support, v.Figure, c.want)
		}
	}
}

// TestNegligibleIsRelative checks that a loss is called negligible only in comparison with the loss
// without any evaluation. If the latter is unknown, there must be no such verdict. A significant
// loss must remain supported.
func TestNegligibleIsRelative(t *testing.T) {
	small := losing(0.0005, 0, 1)
	for _, c := range []struct {
		losses, nothing stats.Sample
		want            Support
	}{{small, losing(0.4, 0.01, 2), negligible}, {small, losing(0.02, 0.01, 2), NotDecided}, {small, losing(0, 1, 2), NotDecided}, {even, losing(0.3, 0.01, 1), NotDecided}, {losing(0.01, 0, 1), losing(0.4, 0.01, 2), Supported}} {
		if v := Costs("costs", c.losses, c.nothing); v.Support != c.want || v.Support == negligible && !(v.P < 0.025) {
			t.Errorf("%s: %s with p = %v, want %s", v.Figure, v.Support, v.P, c.want)
		}
	}
}

// TestFailedCheckRefusesFindings checks that a failed instrument check withdraws all verdicts and
// that the headline contains the reason.
func TestFailedCheckRefusesFindings(t *testing.T) {
	for _, passed := range []bool{true, false} {
		e := Experiment{Name: "planted", Run: func(context.Context, *Session) (*Results, error) {
			return &Results{Headline: "all is well", Checks: []Check{{"identity", true, "0"}, {"depth 1", passed, "-.107"}},
				Findings: []Finding{Decide("noise costs less", stats.Around(-0.1, 0.02), stats.Estimate.Below, 0, "")}}, nil
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
