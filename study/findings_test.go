package study

import (
	"math"
	"testing"
)

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
		{Interval{0.001, -0.010, 0.012}, Negligible},
		{Interval{0.001, -0.030, 0.032}, NotDecided},
		{Interval{0.010, 0.005, 0.015}, Supported},
	} {
		v := Decide("", c.i, Above, 0, "").OrNegligible(c.i, 0.02)
		if v.Support != c.want {
			t.Errorf("%v: %s, want %s", c.i, v.Support, c.want)
		}
		if v.Support == Negligible && !(v.P < 0.025) {
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
