package damage

import (
	"context"
	"errors"
	"math"
	"testing"

	"plyfit/learn"
	"plyfit/study"
)

// A calibration learned from an evaluation whose link is wrong by a known line finds
// the line, and both of its curves increase strictly and keep the ends.
func TestCalibration(t *testing.T) {
	random := study.NewRand(4)
	const slope, shift = 0.5, 0.4
	var all points
	for i := range uint64(30000) {
		x := random.NormFloat64()
		y := -1.0
		if random.Float64() < 1/(1+math.Exp(-(slope*2*x+shift))) {
			y = 1
		}
		all = append(all, point{x, y, i})
	}
	c, err := all.calibrate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(c.Platt.Slope-slope) > 4*c.Platt.SlopeError || math.Abs(c.Platt.Shift-shift) > 4*c.Platt.ShiftError || c.Platt.SlopeError > 0.02 {
		t.Errorf("%+v, want slope %v and shift %v", c.Platt, slope, shift)
	}
	for name, d := range map[string]Damage{"Platt": c.ByPlatt(), "isotonic": c.ByIsotonic()} {
		if err := d.bendable(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d.Curve[0] != -1 || d.Curve[2*Grades] != 1 {
			t.Errorf("%s: the ends of the game are worth %v and %v", name, d.Curve[0], d.Curve[2*Grades])
		}
		// What the middle is worth: 2/(1+exp(-shift)) - 1.
		if got, want := d.Curve[Grades], 2/(1+math.Exp(-shift))-1; math.Abs(got-want) > 0.08 {
			t.Errorf("%s: an even position is worth %.3f, want %.3f", name, got, want)
		}
	}
	if c.ByPlatt().Model == c.ByIsotonic().Model {
		t.Error("two curves have one digest")
	}
}

// A calibration is of player 0's value, whoever is at the root: the players' values
// of a position add up to 0.
func TestCalibratedIsPlayerZeros(t *testing.T) {
	u := newTestSubject(t, "connect4", "handwritten")
	d := Calibration{Isotonic: make([]float64, 2*Grades+1)}
	d.Platt.Slope, d.Platt.Shift = 0.7, 0.5
	l := u.Damaged(d.ByPlatt())
	for _, x := range []float64{-1, 0, 0.3} {
		if a, b := l.Leaf(0, x, -Grades, Grades, 1), l.Leaf(0, x, -Grades, Grades, -1); a != -b {
			t.Errorf("x %v is worth %v to one player and %v to the other", x, a, b)
		}
	}
	w := newWalk(u.Evaluation, 3, Averages, []float64{0}, Damage{}, d.ByPlatt())
	for _, s := range u.Positions(0, 60) {
		_, values := w.Values(s, s.Turn())
		if got, want := bestSet(values, 1, 0), bestSet(values, 0, 0); got != want {
			t.Fatalf("%v: best moves %b when calibrated, %b before", s, got, want)
		}
	}
}

// Games of an evaluation against itself give the same calibration each time, and
// one that says that it knows something.
func TestCalibrate(t *testing.T) {
	for _, c := range []struct {
		spec  string
		world study.World
	}{{"connect4", study.World{Slip: 0.2}}, {"connect4:dice=on", study.World{}}} {
		u := newTestSubject(t, c.spec, "handwritten")
		k := CalibrationGames{Game: c.spec, Eval: u.Digest, World: c.world, Games: 120, Seed: 3}
		a, err := u.Calibrate(context.Background(), k)
		if err != nil {
			t.Fatal(err)
		}
		b, err := u.Calibrate(context.Background(), k)
		if err != nil || a.Platt != b.Platt {
			t.Errorf("%s: %+v, then %+v; %v", c.spec, a.Platt, b.Platt, err)
		}
		if a.Platt.Episodes != 120 || !(a.Platt.Slope > 2*a.Platt.SlopeError) {
			t.Errorf("%s: %+v: the evaluation says nothing of the games", c.spec, a.Platt)
		}
	}
}

// TestCalibrateNothing: an evaluation of which every game is cut off has no calibration, as
// one that says the same of every position.
func TestCalibrateNothing(t *testing.T) {
	none := learn.Senseless("")
	if _, err := (points{}).calibrate(t.Context()); !errors.As(err, &none) {
		t.Errorf("%v, want that there is nothing to fit", err)
	}
}
