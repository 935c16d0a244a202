package fit

import (
	"iter"
	"math"
	"strings"
	"testing"

	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// pair is a set of one plain feature and two patterns, of which only shapes and names
// count here.
type pair struct{ features.Set }

func (pair) Blocks() []features.Block {
	label := func(name string) func(int) string {
		return func(i int) string { return name + "[" + string("abc"[i]) + "]" }
	}
	return []features.Block{{Name: "plain", Len: 1}, {Name: "first", Len: 3, Label: label("first")}, {Name: "second", Len: 3, Label: label("second")}}
}

func (pair) Shapes() []features.Shape {
	return []features.Shape{{Name: "first", Rows: 2, Columns: 2, Cells: []int{0}}, {Name: "second", Rows: 2, Columns: 2, Cells: []int{3}}}
}

func (pair) Name() string                                                       { return "pair" }
func (pair) View(game.State) game.Player                                        { return 0 }
func (pair) Extract(_ game.State, _ game.Player, x models.Vector) models.Vector { return x }

// memory is rows at hand.
type memory []datasets.Sample

// All implements [datasets.Samples].
func (m memory) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		for i := range m {
			if !yield(&m[i], nil) {
				return
			}
		}
	}
}

// TestPatternTables: figures that are worked out by hand. The first table adds 2, 4 and
// 4 - 2 with weights 1, 1 and 2: mean 2.5, variance 0.75. The second adds the same
// always and so nothing that counts. The plain feature and the bias belong to none.
func TestPatternTables(t *testing.T) {
	m := &models.Linear{Weights: []float64{100, 2, 4, -2, 7, 0, 0}}
	sample := func(weight float64, indices ...int32) datasets.Sample {
		s := datasets.Sample{Weight: weight}
		for _, i := range indices {
			s.X = append(s.X, models.Term{Index: i, Value: 1})
		}
		return s
	}
	data := memory{sample(1, 0, 1, 4, models.Bias), sample(1, 2, 4, models.Bias), sample(2, 0, 2, 3, 4)}
	got, err := PatternTables(pair{}, m, data)
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, error %v; want two tables", got, err)
	}
	if f := got[0]; f.Weights != 3 || f.Visited != 3 || math.Abs(f.Spread-math.Sqrt(0.75)) > 1e-12 {
		t.Errorf("first: %+v; want 3 of 3 weights, spread %v", f, math.Sqrt(0.75))
	}
	// Visits 1, 3, 2 of weights 2, 4, -2: mean 10/6.
	mean := 10.0 / 6
	if f := got[0]; len(f.High) != 2 || f.High[0] != (Filling{"b", 4 - mean, 0.5}) || f.High[1].Symbols != "a" || len(f.Low) != 1 || f.Low[0] != (Filling{"c", -2 - mean, 2.0 / 6}) {
		t.Errorf("first: high %v, low %v", f.High, f.Low)
	}
	if f := got[1]; f.Visited != 1 || f.Spread != 0 || len(f.High)+len(f.Low) != 0 {
		t.Errorf("second: %+v; want one weight, no spread, nothing above or below", f)
	}
	f, ok, err := patternFigure(got, "three positions")
	if err != nil || !ok || !strings.Contains(f.Caption, "three positions") {
		t.Errorf("figure: %v, %v, %q", ok, err, f.Caption)
	}
	if none, err := PatternTables(nil, m, data); none != nil || err != nil {
		t.Errorf("a set without patterns: %v, %v", none, err)
	}
}
