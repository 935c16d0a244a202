package evaluation

import (
	"context"
	"math"
	"strings"
	"testing"

	"plyfit/internal/vectors"
	"plyfit/study"
)

// allWarps contains warps of all kinds except affine, including those that only users can select.
var allWarps = []Damage{
	{Kind: Power, By: 0.5}, {Kind: Power, By: 3}, {Kind: tangent, By: 4}, {Kind: exponential, By: 2}, {Kind: exponential, By: 4}, {Kind: exponential, By: -4}, {Kind: ranked},
	{Kind: exponential, By: -3}, {Kind: rescaled, By: 0.4}, {Kind: rescaled, By: 3}, {Kind: LogOdds},
}

func TestParseWarp(t *testing.T) {
	for text, want := range map[string]Damage{
		"sqrt": {Kind: Power, By: 0.5}, "cube": {Kind: Power, By: 3}, "ranks": {Kind: ranked}, "exp:-2": {Kind: exponential, By: -2}, "tanh:4": {Kind: tangent, By: 4}, "power:2.5": {Kind: Power, By: 2.5},
	} {
		got, err := ParseWarp(text)
		if err != nil || got.Kind != want.Kind || got.By != want.By {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "square", "power", "power:0", "power:-1", "exp:0", "tanh:x", "power:40", "exp:100", "noise:1"} {
		if d, err := ParseWarp(text); err == nil || !strings.Contains(err.Error(), "warp") {
			t.Errorf("%q: %+v, %v; want an error", text, d, err)
		}
	}
}

// TestWarpsIncrease checks that all warps fix the ends of the range and keep neighbouring grades
// distinct.
func TestWarpsIncrease(t *testing.T) {
	u := newTestSubject(t, "connect4", "handwritten")
	for _, d := range allWarps {
		d = u.Damaged(d).Damage
		table := d.table()
		if !d.Warps() || math.Abs(table[0]+1) > 1e-12 || math.Abs(table[2*Grades]-1) > 1e-12 {
			t.Errorf("%v: from %v to %v", d, table[0], table[2*Grades])
		}
		if err := d.bendable(); err != nil {
			t.Error(err)
		}
	}
}

// TestSized checks that errors of the same size have the same misfit and that an affine map has
// none. If a size cannot be reached or the context is cancelled, an error must be returned.
func TestSized(t *testing.T) {
	ctx := context.Background()
	u := newTestSubject(t, "connect4", "handwritten")
	if m := u.Misfit(AffineControl); m > 1e-6 {
		t.Errorf("an affine map has error %v", m)
	}
	feature := vectors.Must(u.Underweighted(ctx, ""))
	list := append(u.Solo(2), feature)
	common := vectors.Must(u.CommonSize(ctx, list))
	for _, size := range []float64{common, common / 2} {
		for _, k := range list {
			d := vectors.Must(u.Sized(ctx, k, size))
			if m := u.Misfit(d[0]); math.Abs(m-size) > 0.004 {
				t.Errorf("%v has error %.4f, want %.4f", d[0], m, size)
			}
		}
	}
	if _, err := u.Sized(ctx, list[0], 0.9); err == nil {
		t.Error("an error of .9 is out of reach")
	}
	if _, err := u.Underweighted(ctx, "no-such-term"); err == nil {
		t.Error("no such feature")
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := u.Sized(stopped, list[0], common); err == nil {
		t.Error("a sizing that was stopped goes on")
	}
	if _, err := u.CommonSize(stopped, list); err == nil {
		t.Error("the common size is looked for though that was stopped")
	}
	if err := u.sampleLeaves(stopped); err == nil {
		t.Error("leaves are sampled though that was stopped")
	}
	if _, err := vectors.Must(u.Planner(study.World{Slip: 0.2}, 4, Damage{})).Search(stopped, u.Positions(0, 1)[0]); err == nil {
		t.Error("a planner that was stopped names a move")
	}
}

// TestNormal checks that the noise of many positions has mean 0 and standard deviation 1, and that
// it depends on the seed.
func TestNormal(t *testing.T) {
	const n = 40000
	var sum, squares, across float64
	for i := range uint64(n) {
		x, y := normal(i*77, 1), normal(i*77, 2)
		sum += x
		squares += x * x
		across += x * y
	}
	if m := sum / n; math.Abs(m) > 0.02 {
		t.Errorf("mean %v", m)
	}
	if v := squares / n; math.Abs(v-1) > 0.03 {
		t.Errorf("variance %v", v)
	}
	if c := across / n; math.Abs(c) > 0.02 {
		t.Errorf("covariance of two seeds %v", c)
	}
}

// FuzzWarp checks that parsing a warp, which also computes its values, does not panic.
func FuzzWarp(f *testing.F) {
	for _, text := range []string{"sqrt", "cube", "ranks", "power:2", "tanh:3", "exp:4", "exp:-1e9", "power:NaN", "exp:"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParseWarp(text); err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
	})
}

// TestRescaled checks that grade 100, for which tanh(x) = 1/2, has the value .93 at three times
// this x.
func TestRescaled(t *testing.T) {
	if got, want := (Damage{Kind: rescaled, By: 3}).table()[Grades+100], math.Tanh(3*math.Atanh(0.5)); math.Abs(got-want) > 1e-12 {
		t.Errorf("scale x3 makes %v of one half, want %v", got, want)
	}
}

// TestSiblingCorrelation checks that the measured correlation between siblings agrees with the
// fraction of the noise that they have in common.
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
	// A separate affine map for each tree is not an error within any tree, but it is one over all
	// trees together.
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

// TestErrorsOfWeights checks that weight errors of strength 0 have no effect and that the others
// depend on the seed.
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
