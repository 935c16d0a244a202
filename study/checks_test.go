package study

import (
	"context"
	"io"
	"strings"
	"testing"
)

// Where an instrument check fails, no finding is given, and the headline says why.
func TestFailedCheckRefusesFindings(t *testing.T) {
	for _, passed := range []bool{true, false} {
		e := Experiment{Name: "planted", Run: func(context.Context, *Session) (*Results, error) {
			return &Results{Headline: "all is well", Checks: []Check{{"identity", true, "0"}, {"depth 1", passed, "-.107"}},
				Findings: []Finding{Decide("noise costs less", Interval{-0.1, -0.12, -0.08}, Below, 0, "")}}, nil
		}}
		s := &Session{Dir: t.TempDir(), Log: io.Discard, Quiet: true}
		f, err := s.Run(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		if passed && (f.Findings[0].Support != Supported || f.Headline != "all is well" || f.ChecksLine() != "Instrument checks: 2 of 2 pass.") {
			t.Errorf("checks pass: %v, %q, %q", f.Findings[0], f.Headline, f.ChecksLine())
		}
		if !passed && (f.Findings[0].Support != Refused || !strings.Contains(f.Headline, "depth 1 (-.107)")) {
			t.Errorf("a check fails: %v, %q", f.Findings[0], f.Headline)
		}
	}
}
