package evaluation

import (
	"math"
	"testing"
)

// TestRescaled checks that grade 100, tanh(x) = 1/2, is worth .93 at three times that x.
func TestRescaled(t *testing.T) {
	if got, want := (Damage{Kind: rescaled, By: 3}).table()[Grades+100], math.Tanh(3*math.Atanh(0.5)); math.Abs(got-want) > 1e-12 {
		t.Errorf("scale x3 makes %v of one half, want %v", got, want)
	}
}

// How much of an error siblings share is what it was made with.
func TestSiblingCorrelation(t *testing.T) {
	u := newTestSubject(t, "checkers", "handwritten")
	for _, c := range []struct{ shared, low, high float64 }{{0, -0.1, 0.05}, {0.5, 0.35, 0.6}, {1, 0.9, 1.05}} {
		d := Damage{Kind: Noise, By: 0.3, Seed: 1, Shared: c.shared}
		if got := u.SiblingCorrelation(d); got < c.low || got > c.high {
			t.Errorf("%v: correlation %.3f, want %v to %v", d, got, c.low, c.high)
		}
	}
	if got := u.SiblingCorrelation(Damage{}); got != 0 {
		t.Errorf("without an error the correlation is %v", got)
	}
	// An affine map of each tree's own is no error; over all trees together it is one.
	u.trees = 1
	for i := range u.Leaves {
		u.Leaves[i].tree = 0
	}
	pooled := u.Misfit(Damage{Kind: Power, By: 3})
	within := newTestSubject(t, "checkers", "handwritten").Misfit(Damage{Kind: Power, By: 3})
	if !(pooled > 1.1*within) {
		t.Errorf("the cube has error %.4f over all leaves and %.4f within trees", pooled, within)
	}
}

// Errors of weights: none where nothing is shaken.
func TestErrorsOfWeights(t *testing.T) {
	u := newTestSubject(t, "connect4", "handwritten")
	if m := u.Misfit(Damage{Kind: Weights, Seed: 1}); m > 1e-9 {
		t.Errorf("nothing shaken: error %v, want none", m)
	}
	one, two := Damage{Kind: Weights, By: 0.5, Seed: 1}, Damage{Kind: Weights, By: 0.5, Seed: 2}
	if a, b := u.shaken(one.By, one.Seed).Weights, u.shaken(two.By, two.Seed).Weights; a[0] == b[0] {
		t.Error("two draws shake a weight alike")
	}
}
