package confirm

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/study"
	"plyfit/study/damage"
)

func newSession(t testing.TB, dir string, workers int) *study.Session {
	t.Helper()
	return &study.Session{Catalog: catalog.All(), Workers: workers, Dir: dir, Log: io.Discard, Quiet: true}
}

// A small protocol from the file to the verdicts: the same bytes by one worker and
// by three and after a stop, all checks pass, every cell and table names the
// protocol.
func TestRun(t *testing.T) {
	p, err := readText(t, smallProtocol(t))
	if err != nil {
		t.Fatal(err)
	}
	var results []*Result
	var files [][]byte
	for _, workers := range []int{1, 3} {
		dir := filepath.Join(t.TempDir(), "run")
		if workers == 3 {
			ctx, stop := context.WithTimeout(context.Background(), 300*time.Millisecond)
			defer stop()
			if _, err := Run(ctx, newSession(t, dir, workers), p, "tested", 100, "again"); err == nil {
				t.Fatal("the run ended before it was stopped")
			}
		}
		r, err := Run(context.Background(), newSession(t, dir, workers), p, "tested", 100, "again")
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
		files = append(files, filesOf(t, p, dir))
		if err := p.Registration().ownCells(dir); err != nil {
			t.Errorf("its own cells: %v", err)
		}
		other := *p
		other.Digest = strings.Repeat("0", 64)
		if err := other.Registration().ownCells(dir); err == nil || !strings.Contains(err.Error(), "of another study or protocol") {
			t.Errorf("cells of another protocol: %v", err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the run depends on workers or on a stop")
	}
	r := results[0]
	if r.Refused() || len(r.Checks) != 4 || len(r.Deviations) != 0 {
		t.Errorf("checks %v, deviations %v", r.Checks, r.Deviations)
	}
	// exp(4z) costs expectimax much and minimax nothing, and noise costs both alike.
	for i, want := range []study.Support{study.Supported, study.Supported} {
		if v := r.Findings[i]; v.Support != want || v.Holm < v.P || v.Units != 6 {
			t.Errorf("%+v, want %s", v, want)
		}
	}
	if _, err := json.Marshal(r); err != nil {
		t.Errorf("as JSON: %v", err)
	}
}

// filesOf are the files of a run that must not depend on how it was made; each
// names the protocol.
func filesOf(t *testing.T, p *Protocol, dir string) []byte {
	t.Helper()
	var all []byte
	for _, name := range []string{"report.md", "data/small-findings.csv", "data/small-cells.csv", "data/small-cells-pairs.csv", "data/small-arms.csv", "cells/test/small.jsonl"} {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(data, []byte(p.Digest[:16])) && !strings.Contains(name, "small-cells") {
			t.Errorf("%s does not name the protocol", name)
		}
		all = append(all, data...)
	}
	return all
}

// planted is a plan that was not played: what each unit lost in each arm is made
// up of an effect of the unit, of its draws and of its pairs.
func planted(t testing.TB, p *Protocol, loss func(a Arm, unit, opening int) float64) *plan {
	t.Helper()
	l, err := newPlan(context.Background(), openedSession(t), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range l.cells {
		c.theorem = false
		c.planted = make(study.Nested, len(c.matches))
		for u := range c.planted {
			c.planted[u] = make([]float64, c.pairs)
			for i := range c.planted[u] {
				if c.key.role != depthOne { // there nothing differs
					c.planted[u][i] = loss(c.key.Arm, u, i)
				}
			}
		}
	}
	return l
}

// A verdict follows from its p-value by Holm; a wrong scale that costs less is
// contradicted, and where a check fails nothing is decided.
func TestFindings(t *testing.T) {
	p, err := readText(t, smallProtocol(t))
	if err != nil {
		t.Fatal(err)
	}
	random := study.NewRand(5)
	noise := func() float64 { return 0.05 * random.NormFloat64() }
	for _, c := range []struct {
		name   string
		effect float64 // of expectimax beside minimax
		want   []study.Support
	}{
		{"more", 0.1, []study.Support{study.Supported, study.Supported, study.Supported}},
		{"less", -0.1, []study.Support{study.Contradicted, study.Supported, study.Supported}},
		{"the same", 0, []study.Support{study.NotDecided, study.Supported, study.NotDecided}},
		{"far more", 0.5, []study.Support{study.Supported, study.Contradicted, study.Supported}},
	} {
		l := planted(t, p, func(a Arm, _, _ int) float64 {
			loss := 0.2 + noise()
			if a.Planner == expectimax {
				loss += c.effect
			}
			return loss
		})
		var r Result
		l.decide(&r, 0)
		if r.Refused() {
			t.Errorf("%s: %v", c.name, r.Checks)
		}
		for i, want := range c.want {
			if got := r.Findings[i].Support; got != want {
				t.Errorf("%s, %s: %s, want %s (%+v)", c.name, r.Findings[i].ID, got, want, r.Findings[i])
			}
		}
	}
	// At the edge: planners that differ one decision ahead.
	l, err := newPlan(context.Background(), openedSession(t), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.play(context.Background(), openedSession(t)); err != nil {
		t.Fatal(err)
	}
	c := l.at(depthOne, Arm{"small", expectimax, "noise", 1})
	c.played[0][0].Points[0] = 4 - c.played[0][0].Points[0] + 1
	var r Result
	l.decide(&r, 0)
	if !r.Refused() || slices.ContainsFunc(r.Findings, func(v Tested) bool { return v.Support != study.Refused }) {
		t.Errorf("planners differ at depth 1: checks %v, verdicts %v", r.Checks, r.Findings)
	}
}

// openedSession is a session whose experiment has begun.
func openedSession(t testing.TB) *study.Session {
	t.Helper()
	s := newSession(t, filepath.Join(t.TempDir(), "run"), 2)
	var err error
	if s.Store, err = study.OpenStore(filepath.Join(s.Dir, "cells.jsonl")); err != nil {
		t.Fatal(err)
	}
	return s
}

// On permuted labels a family comes to a verdict in about 5% of the cases or less,
// also where there are effects of every size in the data.
func TestPermutedLabels(t *testing.T) {
	if _, err := readText(t, smallProtocol(t, `"depth": 2}`, `"depth": 3}`)); err == nil {
		t.Fatal("a changed depth on one side was taken")
	}
	p, err := readText(t, smallProtocol(t))
	if err != nil {
		t.Fatal(err)
	}
	random := study.NewRand(6)
	l := planted(t, p, func(a Arm, _, _ int) float64 {
		loss := 0.1 + 0.22*random.NormFloat64()
		if a.Planner == expectimax {
			loss += 0.3
		}
		return math.Round(4*loss) / 4
	})
	const families = 2000
	r := l.permute(families, 1)
	if share := float64(r.Hits) / families; share < 0.015 || share > 0.065 {
		t.Errorf("%v: want .015 to .065", r)
	}
	t.Log(r)
}

// fitReplaced makes the small protocol one of fitted bases, with refits on an eighth
// of the games in place of errors of weights and other labels in place of exp.
var fitReplaced = []string{`"evaluation": "handwritten"`, `"evaluation": "fit", "games": 150`, `"pairs": 40`, `"pairs": 10`,
	`"kind": "weights", "by": 1, "draws": 4`, `"kind": "refit", "data": 0.125, "draws": 2`, `{"id": "exp", "kind": "exp", "by": 4}`, `{"id": "exp", "kind": "label", "label": "search"}`}

// Base evaluations are fitted, one a unit; those whose reliability is outside of
// the gate are left out and listed; refits on part of the games and on other labels
// are errors like any other.
func TestFittedBases(t *testing.T) {
	p, err := readText(t, smallProtocol(t, fitReplaced...))
	if err != nil {
		t.Fatal(err)
	}
	l, err := newPlan(context.Background(), openedSession(t), p)
	if err != nil {
		t.Fatal(err)
	}
	units := l.units["small"]
	if len(units) != 6 || units[0].subject.Digest == units[1].subject.Digest || units[0].slope == units[1].slope {
		t.Errorf("%d units, want 6 with evaluations of their own", len(units))
	}
	models := map[string]bool{}
	for _, u := range units {
		for _, d := range l.damages[drawKey{"weights", u}] {
			models[d.Model] = true
		}
	}
	if len(models) != 12 {
		t.Errorf("%d refits, want 2 a unit", len(models))
	}
	// A gate in the middle of their slopes.
	var slopes []float64
	for _, u := range units {
		slopes = append(slopes, u.slope)
	}
	slices.Sort(slopes)
	p.Exclusions.Reliability = []float64{slopes[1], slopes[4]}
	s := newSession(t, filepath.Join(t.TempDir(), "run"), 2)
	r, err := Run(context.Background(), s, p, "tested", 0, "again")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Deviations) != 3 || !strings.Contains(r.Deviations[0], "its reliability slope is") || !strings.Contains(r.Deviations[2], "4 units of the 6 asked for") || r.Findings[0].Units != 4 {
		t.Errorf("deviations %q, %d units; want two bases left out", r.Deviations, r.Findings[0].Units)
	}
	if c, err := Cost(context.Background(), catalog.All(), p, 1); err != nil || !(c.Hours > c.Bases && c.Bases > 0) || len(c.Cells) != len(l.cells) {
		t.Errorf("cost %+v, %v", c, err)
	}
}

// What fitted bases and their errors want is said.
func TestBadFits(t *testing.T) {
	for _, bad := range [][]string{{`"games": 150`, `"games": 0`}, {`"fit", "games": 150`, `"handwritten"`}, {`"data": 0.125`, `"data": 2`}, {`"label": "search"`, `"label": "luck"`},
		{`"kind": "label", "label": "search"`, `"kind": "left out", "group": ["x"]`}, {`"kind": "label", "label": "search"`, `"kind": "left out"`}} {
		if _, err := readText(t, strings.Replace(smallProtocol(t, fitReplaced...), bad[0], bad[1], 1)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line", bad[1], err)
		}
	}
}

// A calibration is drawn a unit, and minimax cannot notice it.
func TestCalibrations(t *testing.T) {
	p, err := readText(t, smallProtocol(t, `"kind": "exp", "by": 4`, `"kind": "platt", "games": 60`))
	if err != nil {
		t.Fatal(err)
	}
	l, err := newPlan(context.Background(), openedSession(t), p)
	if err != nil {
		t.Fatal(err)
	}
	units := l.units["small"]
	a, b := l.damages[drawKey{"exp", units[0]}][0], l.damages[drawKey{"exp", units[1]}][0]
	if a.Kind != damage.Calibrated || !a.Warps() || slices.Equal(a.Curve, b.Curve) {
		t.Errorf("calibrations of two units: %v and %v", a, b)
	}
	if !l.at(measured, Arm{"small", minimax, "exp", 3}).theorem || l.at(measured, Arm{"small", expectimax, "exp", 3}).theorem {
		t.Error("a calibration changes nothing under minimax alone")
	}
}
