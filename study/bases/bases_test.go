package bases

import (
	"context"
	"math"
	"slices"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
	"plyfit/study/damage"
)

func learn1(t *testing.T, w *catalog.World, f Fit) Model {
	t.Helper()
	f.Game = w.Spec
	m, err := f.Learn(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Fits of two seeds differ, those of one do not; the base evaluation is calibrated
// where enough games were played, and the error of estimation grows where games
// become few.
func TestFit(t *testing.T) {
	w, err := catalog.All().World("connect4")
	if err != nil {
		t.Fatal(err)
	}
	f := Fit{Game: w.Spec, World: study.World{Slip: 0.2}, Games: 800, Seed: 3}
	m := learn1(t, w, f)
	if again := learn1(t, w, f); !slices.Equal(m.Weights, again.Weights) {
		t.Error("the same fit twice gives two models")
	}
	other := f
	other.Seed = 4
	if o := learn1(t, w, other); slices.Equal(m.Weights, o.Weights) {
		t.Error("two seeds give one model")
	}
	if math.Abs(m.Slope-1) > 0.2 {
		t.Errorf("reliability slope %.3f, want about 1", m.Slope)
	}
	u, err := f.Subject(context.Background(), w, m)
	if err != nil {
		t.Fatal(err)
	}
	misfit := func(share float64) (sum float64) {
		for draw := range uint64(4) {
			g := f
			g.Share, g.Draw = share, draw
			d, err := Damage(w, "less data", learn1(t, w, g))
			if err != nil {
				t.Fatal(err)
			}
			sum += u.Misfit(d) / 4
		}
		return sum
	}
	if all, few := misfit(1), misfit(1.0/16); !(all > 0 && few > 1.5*all) {
		t.Errorf("a draw of all games is %.4f off, of a sixteenth %.4f; want the latter to be far more", all, few)
	}
	g := f
	g.Label = Search
	d, err := Damage(w, "search", learn1(t, w, g))
	if err != nil {
		t.Fatal(err)
	}
	if got := u.Misfit(d); !(got > 0.01) {
		t.Errorf("a model of search labels is %.4f off, want something", got)
	}
	if d.Warps() || d.Kind != damage.Other {
		t.Errorf("%+v", d)
	}
}
