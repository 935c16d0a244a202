package bases

import (
	"context"
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

// Fits of two seeds differ, those of one do not; a fit to many games is nearer to another
// such fit than one to few games is, and one to labels of another kind is another.
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
	base, err := m.Contestant(w, "fit", 3)
	if err != nil {
		t.Fatal(err)
	}
	u, err := damage.NewSubject(context.Background(), base.Evaluation, 3)
	if err != nil {
		t.Fatal(err)
	}
	off := func(f Fit) float64 {
		o := learn1(t, w, f)
		if slices.Equal(m.Weights, o.Weights) {
			t.Errorf("%+v gives the same model", f)
		}
		c, err := o.Contestant(w, "other", 3)
		if err != nil {
			t.Fatal(err)
		}
		return u.Misfit(damage.Damage{Kind: damage.Other, By: 1, Model: c.Digest, Linear: c.Model})
	}
	many, few, search := f, f, f
	many.Seed, few.Seed, few.Games, search.Label = 4, 5, 50, Search
	if a, b := off(many), off(few); !(a > 0 && b > 1.5*a) {
		t.Errorf("a fit to as many games is %.4f off, to a sixteenth %.4f; want the latter to be far more", a, b)
	}
	if got := off(search); !(got > 0.01) {
		t.Errorf("a model of search labels is %.4f off, want something", got)
	}
}
