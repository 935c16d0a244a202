package loop

import (
	"testing"

	"plyfit/arena"
	"plyfit/arena/stats"
)

// TestLopsidedCells: an interval that ends where the scale does is printed by
// its ends; half its width would put the lower one too high.
func TestLopsidedCells(t *testing.T) {
	all := stats.Estimate{Value: 1, Known: true, Low: 0.735, High: 1, Bounded: true}
	even := stats.Estimate{Value: 0.52, Known: true, Low: 0.47, High: 0.57, Bounded: true}
	for _, c := range []struct {
		score stats.Estimate
		want  string
	}{
		{all, "100.0% (73.5 to 100.0)"},
		{even, "52.0% ± 5.0"},
	} {
		if got := Share(&arena.Result{Measure: arena.Wins, Score: c.score}); got != c.want {
			t.Errorf("share: %q, want %q", got, c.want)
		}
	}
	if got, want := plusMinus(all), "1.00 (0.73 to 1.00)"; got != want {
		t.Errorf("utility: %q, want %q", got, want)
	}
}

// TestAllAlike: where no pair made a difference, the bounds of what was never seen,
// which reach as far as the game's scores, are not printed.
func TestAllAlike(t *testing.T) {
	var m stats.Moments
	for range 8 {
		m.Add(0)
	}
	if got, want := plusMinus(m.Estimate(8, stats.Span{Low: -2e6, High: 2e6, Score: true})), "0 (all 8 pairs alike)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	m.Add(9)
	if got, want := plusMinus(m.Estimate(9, stats.Span{Low: -2e6, High: 2e6, Score: true})), "1.0 ± 2.3"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTablesTellOpenings: the openings stand beside the pairs.
func TestTablesTellOpenings(t *testing.T) {
	c := Contest{Game: "g", Planner: "p", A: "handwritten", B: "zero", Pairs: 40,
		Result: arena.Result{Mode: arena.Duel, Measure: arena.Wins, Population: arena.Sampled, Openings: 38}}
	want := "Share of the points with its 95% interval, 40 pairs of games each from 38 openings; 50% is even."
	if got := EvaluationTables([]Contest{c})[0].Caption; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	c.Result.Population, c.Result.Openings = arena.OneStart, 1
	want = "Share of the points with its 95% interval, 40 pairs of games each; 50% is even."
	if got := EvaluationTables([]Contest{c})[0].Caption; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
