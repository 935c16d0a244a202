package diagnose

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
)

// steeper returns the evaluation with its log odds multiplied by a factor.
func steeper(t *testing.T, w *catalog.World, factor float64) *catalog.Evaluation {
	t.Helper()
	set, m, err := w.Model("handwritten")
	if err != nil {
		t.Fatal(err)
	}
	m.Link.Scale *= factor
	return vectors.Must(w.EvaluationOf(fmt.Sprintf("steeper %v", factor), set, m))
}

// TestPlanted checks two evaluations whose log odds differ by a factor of four. The slope of the
// steeper one must be a quarter of the other's, the advice must be to calibrate it, and the
// predicted gain must agree with the exact one.
func TestPlanted(t *testing.T) {
	if !vectors.Long() {
		t.Skip("plays 1,200 pairs of games")
	}
	b := boardOf(t, "tictactoe", 0.3)
	w := b.w
	o := Options{World: w, Depth: 2, Games: 150, Pairs: 600, Openings: 2, Budget: exactBudget, Seed: 1, Workers: 2}
	o.Evaluation = steeper(t, w, 0.75)
	right := run(t, o)
	o.Evaluation = steeper(t, w, 3)
	wrong := run(t, o)
	was, is := right.report.Slope, wrong.report.Slope
	if far := math.Abs(math.Log(4 * is.Estimate.Value / was.Estimate.Value)); far > math.Hypot(was.Estimate.Error()/was.Estimate.Value, is.Estimate.Error()/is.Estimate.Value) {
		t.Errorf("slopes %v and %v: want the second to be a fourth of the first", was.Estimate, is.Estimate)
	}
	if is.Sure != TooSure || len(wrong.report.Advice) == 0 || wrong.report.Advice[0].Do != "calibrate" {
		t.Fatalf("slope %v is %q, advice %v: want the advice to calibrate", is.Estimate, is.Sure, wrong.report.Advice)
	}
	gain := b.loss(b.policy(b.leaves(wrong, raw), false, 2), b.policy(b.leaves(wrong, calibrated), false, 2), 2)
	promised := wrong.report.Advice[0].Gain
	if !promised.Bounded || gain < promised.Low || gain > promised.High {
		t.Errorf("calibrating gains %.4f, promised were %v", gain, promised)
	}
}

// TestSureness checks the interpretation of six slopes with their intervals.
func TestSureness(t *testing.T) {
	for _, c := range []struct {
		slope, low, high float64
		want             calibration
	}{
		{0.5, 0.4, 0.6, TooSure}, {0.5, -0.2, 1.2, AboutRight}, {0.9, 0.85, 0.95, AboutRight},
		{1, 0.9, 1.1, AboutRight}, {1.5, 1.2, 1.8, Unsure}, {1.5, 0.8, 2.2, AboutRight},
	} {
		if got := CalibrationOf(c.slope, c.low, c.high); got != c.want {
			t.Errorf("slope %v (%v to %v) is %q, want %q", c.slope, c.low, c.high, got, c.want)
		}
	}
}

// TestWorlds diagnoses single-player games, a two-player game with dice and one without chance.
// Each result must have the right unit, and there must be only one planner if there is no chance.
func TestWorlds(t *testing.T) {
	for _, c := range []struct {
		game, eval, unit string
		minimax          bool
	}{
		{"2048:size=2", "zero", "points per game", true},
		{"2048", "zero", "points per decision", true},
		{"tictactoe", "handwritten", "of the points", false},
		{"pig:target=30", "handwritten", "of the points", true},
		{"pacman", "handwritten", "points per game", true},
	} {
		w := worldOf(t, c.game)
		e := vectors.Must(w.Evaluation(c.eval))
		d := vectors.Must(newDiagnosis(Options{World: w, Evaluation: e, Depth: 1, Games: 8, Pairs: 20, Budget: 4, Seed: 1, Workers: 2}))
		if err := d.run(t.Context()); err != nil {
			t.Fatalf("%s: %v", c.game, err)
		}
		r := &d.report
		if r.Unit != c.unit || (r.Minimax != nil) != c.minimax {
			t.Errorf("%s: %q, minimax %v: want %q, %v", c.game, r.Unit, r.Minimax, c.unit, c.minimax)
		}
		if l := r.Expectimax.Loss; !l.Known || r.Expectimax.Regret.Value < 0 {
			t.Errorf("%s: loss %v, regret %v", c.game, l, r.Expectimax.Regret)
		}
		if r.Controls.DepthOne != 0 {
			t.Errorf("%s: controls %+v", c.game, r.Controls)
		}
	}
}

// TestLink checks that a calibration multiplies log odds, fixes the ends and the middle of the
// range, and is the same from both sides. In games without bounds, it must be linear.
func TestLink(t *testing.T) {
	l := link{slope: 0.25, odds: true, lo: -1, hi: 1}
	for _, v := range []float64{-0.9, 0.2, 0.5, 0.999} {
		if got, want := l.of(v), math.Tanh(0.25*math.Atanh(v)); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v becomes %v, want %v", v, got, want)
		}
		if got := l.of(v) + l.of(-v); math.Abs(got) > 1e-12 {
			t.Errorf("%v from either side: sum %v", v, got)
		}
	}
	if l.of(-1) != -1 || l.of(0) != 0 || l.of(1) != 1 {
		t.Errorf("finished games become %v, %v and %v", l.of(-1), l.of(0), l.of(1))
	}
	if got := (link{slope: 2, shift: 3}).of(5); got != 13 {
		t.Errorf("the line 3 + 2v is %v at 5", got)
	}
}

// TestBudget checks that a diagnosis spends approximately its budget, and that the report mentions
// it if fewer games were played. With PLYFIT_LONG, a larger budget must lead to a narrower
// interval.
func TestBudget(t *testing.T) {
	w := worldOf(t, "connect4:columns=5,rows=4+slip=0.2")
	e := vectors.Must(w.Evaluation("handwritten"))
	var errors []float64
	for _, budget := range []float64{2, 12} {
		if budget > 2 && !vectors.Long() {
			break // takes 12 CPU seconds
		}
		d := run(t, Options{World: w, Evaluation: e, Depth: 2, Games: 400, Pairs: 1000, Budget: budget, Seed: 1, Workers: 2})
		r := &d.report
		if s := r.Spent; s.Seconds > 1.25*budget || s.Seconds < 0.3*budget || s.Budget != budget || s.Nodes == 0 {
			t.Errorf("a budget of %v: spent %+v", budget, s)
		}
		if r.Games < 400 && !strings.Contains(strings.Join(r.Spent.Less, "; "), "games, not 400") {
			t.Errorf("%d games of 400, and the report says %v", r.Games, r.Spent.Less)
		}
		errors = append(errors, r.Expectimax.Regret.Error())
	}
	if vectors.Long() && errors[1] >= errors[0] {
		t.Errorf("regrets have errors of %v with a small budget, %v with a large one", errors[0], errors[1])
	}
}

// TestCurve checks that the best increasing map is strictly increasing, fixes the ends and the
// middle of the range, and inverts a map that is not linear in log odds.
func TestCurve(t *testing.T) {
	w := worldOf(t, "tictactoe+slip=0.3")
	e := vectors.Must(w.Evaluation("handwritten"))
	d := vectors.Must(newDiagnosis(Options{World: w, Evaluation: e}))
	for i := range 4000 {
		mean := float64(i)/2000 - 0.99975 // value of the game
		d.valued = append(d.valued, played{values: []float64{mean * mean * mean}, outcome: mean})
	}
	rows, _ := d.rows()
	curve := d.fitCurve(rows)
	last := math.Inf(-1)
	for v := -1.0; v <= 1; v += 1. / 512 {
		x := curve.of(v)
		if x <= last {
			t.Fatalf("%v becomes %v, after %v", v, x, last)
		}
		if back := curve.of(-v); math.Abs(x+back) > 1e-12 {
			t.Errorf("%v becomes %v, and its opposite %v", v, x, back)
		}
		last = x
	}
	for _, v := range []float64{-1, 1} {
		if got := curve.of(v); got != v {
			t.Errorf("a finished game of %v becomes %v", v, got)
		}
	}
	for _, v := range []float64{-0.5, -0.1, 0.1, 0.3, 0.7} {
		if got, want := curve.of(v), math.Cbrt(v); math.Abs(got-want) > 0.03 {
			t.Errorf("%v becomes %v, want about %v", v, got, want)
		}
	}
	d.valued = d.valued[:fewestCurved-1]
	if vectors.Check(d.calibrate(t.Context())); d.curve != nil {
		t.Error("a curve of too few games")
	}
}
