package study

import (
	"context"
	"io"
	"strings"
	"testing"
)

// A contrast in which planner and world change together, as the study's headline
// once did, is refused; so is one of two worlds, errors or depths.
func TestConfoundIsRefused(t *testing.T) {
	arm := func(game string, world, assumes float64, of string, depth int) Arm {
		return Arm{game, World{Slip: world}, World{Slip: assumes}, of, depth}
	}
	expectimax := arm("othello", 0.3, 0.3, "noise", 3)
	for _, c := range []struct {
		name    string
		minimax Arm
		want    string
	}{
		{"planner alone", arm("othello", 0.3, 0, "noise", 3), ""},
		{"planner and world", arm("othello", 0, 0, "noise", 3), "planner and world change together"},
		{"planner and nature", Arm{"othello", World{Hostile: true}, World{Hostile: true}, "noise", 3}, "planner and world change together"},
		{"world alone", arm("othello", 0, 0.3, "noise", 3), "two worlds"},
		{"game", arm("checkers", 0.3, 0, "noise", 3), "two games"},
		{"error", arm("othello", 0.3, 0, "cube", 3), "one error"},
		{"depth", arm("othello", 0.3, 0, "noise", 4), "one depth"},
	} {
		err := SameWorld(expectimax, c.minimax)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
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
