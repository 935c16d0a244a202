package confirm

import (
	"math"
	"strings"
	"testing"

	"plyfit/study"
)

// Of any, one error that shows the claim is enough, by Bonferroni over all of them,
// and the finding names it.
func TestAny(t *testing.T) {
	const differs = `"estimand": "planners", "test": "differs",
     "treatment": {"world": "small", "planner": "expectimax", "error": "weights", "depth": 2},
     "control": {"world": "small", "planner": "minimax", "error": "weights", "depth": 2}`
	const anyOfTwo = `"estimand": "any", "test": "differs", "errors": ["noise", "weights"],
     "treatment": {"world": "small", "planner": "expectimax", "depth": 2},
     "control": {"world": "small", "planner": "minimax", "depth": 2}`
	p, err := readText(t, smallProtocol(t, differs, anyOfTwo))
	if err != nil {
		t.Fatal(err)
	}
	random := study.NewRand(8)
	for _, of := range []string{"noise", "weights"} {
		l := planted(t, p, func(a Arm, _, _ int) float64 {
			loss := 0.2 + 0.05*random.NormFloat64()
			if a.Planner == expectimax && a.Error == of {
				loss += 0.1
			}
			return loss
		})
		v := p.findings(l.samples())[2]
		if v.Support != study.Supported || v.Error != of || math.Abs(v.Estimate.Value-0.1) > 0.02 {
			t.Errorf("%s alone: %+v", of, v)
		}
		x := difference(l.at(measured, Arm{"small", expectimax, of, 2}).losses(), l.at(measured, Arm{"small", minimax, of, 2}).losses()).Means()
		if want := 2 * study.TTest(x, study.Equals, 0); v.P != want {
			t.Errorf("p %v, want twice that of %s alone, %v", v.P, of, want)
		}
	}
	for _, bad := range [][]string{
		{`["noise", "weights"]`, `["noise"]`}, {`["noise", "weights"]`, `["noise", "noise"]`}, {`["noise", "weights"]`, `["noise", "luck"]`},
		{`"expectimax", "depth": 2},
     "control": {"world": "small", "planner": "minimax", "depth": 2}`, `"expectimax", "error": "noise", "depth": 2},
     "control": {"world": "small", "planner": "minimax", "depth": 2}`},
	} {
		if _, err := readText(t, strings.Replace(smallProtocol(t, differs, anyOfTwo), bad[0], bad[1], 1)); err == nil || !strings.Contains(err.Error(), "hypotheses[2]") {
			t.Errorf("%s: %v, want what is wrong with it", bad[1], err)
		}
	}
}

// Fading is L(first, deep) - L(first, shallow) L(second, deep) / L(second, shallow),
// in points, whatever the first error costs; each planner must show it, and both
// errors must cost something at the smaller depth.
func TestFade(t *testing.T) {
	p, err := readText(t, smallProtocol(t))
	if err != nil {
		t.Fatal(err)
	}
	type losses [2][2]float64 // of weights and of noise, by depth
	for _, c := range []struct {
		name                string
		minimax, expectimax losses
		want                study.Support
	}{
		{"fades less under both", losses{{0.1, 0.1}, {0.3, 0.1}}, losses{{0.1, 0.09}, {0.2, 0.05}}, study.Supported},
		{"under one", losses{{0.1, 0.1}, {0.3, 0.1}}, losses{{0.2, 0.05}, {0.2, 0.05}}, study.NotDecided},
		{"the first error is less by as much, but fades alike", losses{{0.1, 0.05}, {0.4, 0.2}}, losses{{0.1, 0.05}, {0.4, 0.2}}, study.NotDecided},
		{"fades more", losses{{0.3, 0.05}, {0.3, 0.2}}, losses{{0.3, 0.05}, {0.3, 0.2}}, study.Contradicted},
		{"nothing to fade", losses{{0, 0.1}, {0.3, 0.1}}, losses{{0, 0.1}, {0.3, 0.1}}, study.NotDecided},
		{"the second costs nothing", losses{{0.1, 0.1}, {-0.1, 0.1}}, losses{{0.1, 0.1}, {-0.1, 0.1}}, study.NotDecided},
	} {
		random := study.NewRand(9)
		l := planted(t, p, func(a Arm, _, _ int) float64 {
			of := c.expectimax
			if a.Planner == minimax {
				of = c.minimax
			}
			e := 0
			if a.Error == "noise" {
				e = 1
			}
			return of[e][min(a.Depth, 2)-1] + 0.03*random.NormFloat64()
		})
		v := p.findings(l.samples())[3]
		if v.Support != c.want {
			t.Errorf("%s: %s, want %s (%+v)", c.name, v.Support, c.want, v)
		}
	}
	f := newFaded([2][2][]float64{{{0.2, 0.3}, {0.2, 0.2}}, {{0.4, 0.6}, {0.1, 0.2}}})
	if got, want := study.Mean(f.left), 0.2-0.25*0.15/0.5; math.Abs(got-want) > 1e-15 {
		t.Errorf("left %v, want %v", got, want)
	}
}
