package study

import (
	"math"
	"testing"
)

// losing is a cell of so many pairs, each of which loses about the mean, with a scatter
// that the other cell of a contrast shares.
func losing(mean, own float64, seed uint64) Losses {
	common, random := NewRand(7), NewRand(seed)
	row := make([]float64, 4000)
	for i := range row {
		row[i] = mean + 0.1*common.NormFloat64() + own*random.NormFloat64()
	}
	return Losses{Nested: Nested{row}}
}

// Whether two planners lose the same is decided by the ratio of their losses: a margin
// in points would hold of any losses that are smaller than it.
func TestSame(t *testing.T) {
	exact := func(x float64) Losses { return Losses{Nested{{x}}, true} }
	for _, c := range []struct {
		name string
		Contrast
		want Support
	}{
		{"alike", Contrast{losing(0.1, 0.01, 1), losing(0.1, 0.01, 2)}, Supported},
		{"half as much again, though within .02", Contrast{losing(0.015, 0.01, 1), losing(0.010, 0.01, 2)}, Contradicted},
		{"twice as much, though within .02", Contrast{exact(0.0182), exact(0.0096)}, Contradicted},
		{"within a quarter", Contrast{exact(0.0231), exact(0.0275)}, Supported},
		{"too few to tell", Contrast{losing(0.01, 1, 1), losing(0.01, 1, 2)}, NotDecided},
		{"one gains what the other loses", Contrast{exact(0.0095), exact(-0.0050)}, Contradicted},
		{"nothing is lost", Contrast{exact(0), exact(0)}, NotDecided},
		{"four times as much", Contrast{losing(0.4, 0.01, 1), losing(0.1, 0.01, 2)}, Contradicted},
	} {
		if v := c.Same("same"); v.Support != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, v.Support, v.Figure, c.want)
		}
	}
}

// Pairs that all ended even are no proof that nothing is lost: the interval keeps a width
// of three over their number, no claim is contradicted or shown by it, and a cell is
// exact for what it is, not for what came of it.
func TestTiesAreNotExact(t *testing.T) {
	even := Losses{Nested: Nested{make([]float64, 20)}}
	if i := even.Interval(); i.Exact() || math.Abs(i.High-3.0/20) > 1e-12 || i.Low != -i.High {
		t.Errorf("20 even pairs: %v, want 3/20 to either side", i)
	}
	if v := even.Costs("costs", losing(0.3, 0.01, 1)); v.Support != NotDecided {
		t.Errorf("20 even pairs: %s (%s)", v.Support, v.Figure)
	}
	if v := (Contrast{even, even}).Same("same"); v.Support != NotDecided {
		t.Errorf("10 even pairs each: %s (%s)", v.Support, v.Figure)
	}
	if p := equivalent(make([]float64, 20), 0.02); p < 0.5 {
		t.Errorf("equivalent within .02 by 20 even pairs: p = %v", p)
	}
	if p := equivalent(make([]float64, 400), 0.02); p > 0.001 {
		t.Errorf("equivalent within .02 by 400 even pairs: p = %v", p)
	}
	even.Exact = true
	if i := even.Interval(); !i.Exact() {
		t.Errorf("a theorem's cell: %v", i)
	}
	if i := RatioOf([]float64{1, 1, 1}, []float64{2, 2, 2}, 1); i.Exact() {
		t.Errorf("three draws that are alike: %v", i)
	}
}

// A loss is negligible beside what no evaluation at all costs, and where that is not
// known there is no such verdict.
func TestNegligibleIsRelative(t *testing.T) {
	small := losing(0.0005, 0, 1)
	small.Nested[0] = append([]float64(nil), small.Nested[0]...)
	for _, c := range []struct {
		nothing Losses
		want    Support
	}{{losing(0.4, 0.01, 2), Negligible}, {losing(0.02, 0.01, 2), NotDecided}, {losing(0, 1, 2), NotDecided}} {
		if v := small.Costs("costs", c.nothing); v.Support != c.want {
			t.Errorf("%s: %s, want %s", v.Figure, v.Support, c.want)
		}
	}
}
