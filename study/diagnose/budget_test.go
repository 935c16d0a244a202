package diagnose

import (
	"math"
	"strings"
	"testing"
)

// TestBudget: a diagnosis keeps to its budget, a larger one has narrower intervals, and
// what there was no room for is told.
func TestBudget(t *testing.T) {
	w := worldOf(t, "connect4:columns=5,rows=4+slip=0.2")
	e, err := w.Evaluation("handwritten")
	if err != nil {
		t.Fatal(err)
	}
	var errors []float64
	for _, budget := range []float64{2, 12} {
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
	if errors[1] >= errors[0] {
		t.Errorf("regrets have errors of %v with a small budget, %v with a large one", errors[0], errors[1])
	}
	for _, budget := range []float64{0.5, -1, math.NaN(), math.Inf(1)} {
		if _, err := newDiagnosis(Options{World: w, Evaluation: e, Budget: budget}); err == nil || !strings.Contains(err.Error(), "budget") {
			t.Errorf("a budget of %v: %v", budget, err)
		}
	}
}

// TestCurve: the best increasing map is strictly increasing, leaves the ends of the range
// and its middle, and undoes a map that is no line of log odds.
func TestCurve(t *testing.T) {
	w := worldOf(t, "tictactoe+slip=0.3")
	e, err := w.Evaluation("handwritten")
	if err != nil {
		t.Fatal(err)
	}
	d, err := newDiagnosis(Options{World: w, Evaluation: e})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4000 {
		mean := float64(i)/2000 - 0.99975 // what the game is worth
		d.valued = append(d.valued, played{values: []float64{mean * mean * mean}, outcome: mean})
	}
	d.fitCurve()
	if d.curve == nil {
		t.Fatal("no curve of 4,000 games")
	}
	last := math.Inf(-1)
	for v := -1.0; v <= 1; v += 1. / 512 {
		x := d.curve.of(v)
		if x <= last {
			t.Fatalf("%v becomes %v, after %v", v, x, last)
		}
		if back := d.curve.of(-v); math.Abs(x+back) > 1e-12 {
			t.Errorf("%v becomes %v, and its opposite %v", v, x, back)
		}
		last = x
	}
	for _, v := range []float64{-1, 1} {
		if got := d.curve.of(v); got != v {
			t.Errorf("a finished game of %v becomes %v", v, got)
		}
	}
	for _, v := range []float64{-0.5, -0.1, 0.1, 0.3, 0.7} {
		if got, want := d.curve.of(v), math.Cbrt(v); math.Abs(got-want) > 0.03 {
			t.Errorf("%v becomes %v, want about %v", v, got, want)
		}
	}
	d.valued, d.curve = d.valued[:fewestCurved-1], nil
	if d.fitCurve(); d.curve != nil {
		t.Error("a curve of too few games")
	}
}
