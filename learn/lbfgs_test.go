package learn

import (
	"context"
	"math"
	"plyfit/datasets"
	"plyfit/models"
	"slices"
	"testing"

	"gonum.org/v1/gonum/optimize"
)

// openStore is a first pass over data with every other episode held out.
func openStore(t *testing.T, m *models.Linear, o *Options, data datasets.Samples, loss Loss, limit int64) (*fused, *tally, *moments) {
	t.Helper()
	d, err := newDesign(m, o.Frozen, math.MaxInt32)
	if err != nil {
		t.Fatal(err)
	}
	tally := newTally(d.width())
	store := &rowStore{ctx: context.Background(), data: data, m: m, sp: o.split(), d: d, loss: loss}
	mo, err := store.open(tally, limit)
	if err != nil {
		t.Fatal(err)
	}
	return newFused(store, tally, mo, mo.variances(d, tally.weight), d.priors(o.Prior), o.Penalty), tally, mo
}

// gonum's method is the reference: it finds no point lower than ours, in more
// passes.
func TestDescentAgainstGonum(t *testing.T) {
	data, m := patternRows(7, 6000, 12, 300, 2)
	p, _, _ := openStore(t, m, &Options{Penalty: 1e-3}, data, Logistic{}, 1<<30)
	x, passes := make([]float64, len(p.w)), 0
	value := func(x, grad []float64) (float64, error) { passes++; return p.value(x, grad) }
	d := descent{value: value, curve: p.curve, step: func([]float64) error { return nil }, most: 400, pairs: 8}
	if err := d.minimise(x); err != nil && err != errFloor {
		t.Fatal(err)
	}
	grad := make([]float64, len(x))
	f, _ := p.value(x, grad)
	problem := optimize.Problem{
		Func: func(x []float64) float64 { f, _ := p.value(x, make([]float64, len(x))); return f },
		Grad: func(grad, x []float64) { p.value(x, grad) },
	}
	want, err := optimize.Minimize(problem, make([]float64, len(x)), &optimize.Settings{GradientThreshold: 1e-8}, &optimize.LBFGS{Store: 8})
	if err != nil {
		t.Log(err)
	}
	if f > want.F+1e-12 || largest(grad) > 1e-7 {
		t.Errorf("lowest value %v with a gradient of %v, gonum's %v", f, largest(grad), want.F)
	}
	if passes > want.FuncEvaluations+5 {
		t.Errorf("%d passes, gonum took %d", passes, want.FuncEvaluations)
	}
	for j := range x {
		if math.Abs(x[j]-want.X[j]) > 1e-4 {
			t.Fatalf("coordinate %d is %v, want %v", j, x[j], want.X[j])
		}
	}
}

// Rows in memory, rows read anew, narrow and wide columns: the same bits, and the
// same moments by counting and by summing.
func TestRowsByAnyRoad(t *testing.T) {
	data, m := patternRows(9, 3000, 20, 400, 2)
	o := &Options{HeldOut: SplitEvery(4, 1), Penalty: 1e-4}
	kept, t1, m1 := openStore(t, m, o, data, Logistic{}, 1<<30)
	anew, t2, m2 := openStore(t, m, o, data, Logistic{}, 0)
	// A feature that is never seen makes the design too wide for sixteen bits.
	broad := models.New("none", "none/pattern", []models.Block{{Name: "pattern", Len: 400, Table: true}, {Name: "more", Len: narrow, Table: true}})
	wide, t3, m3 := openStore(t, broad, o, data, Logistic{}, 1<<30)
	if kept.store.training[0].short == nil || wide.store.training[0].cols == nil || anew.store.kept {
		t.Fatal("not the roads that were meant")
	}
	if t1.rows != t2.rows || t1.weight != t3.weight || !slices.Equal(t1.support, t2.support) || !slices.Equal(t1.support, t3.support[:len(t1.support)]) {
		t.Error("the tallies differ")
	}
	for j := range m1.column {
		a, b, c := m1.column[j], m2.column[j], m3.column[j]
		if a.square != c.square || a.cross != c.cross || a.square != b.square {
			t.Fatalf("column %d: %v, %v, %v", j, a, b, c)
		}
	}
	var models [3][]float64
	for i, p := range []*fused{kept, anew, wide} {
		p.judgeHeld = true
		var r Report
		x := LBFGS{Steps: 15, Patience: 3}.minimise(p, &r)
		if p.err != nil {
			t.Fatal(p.err)
		}
		models[i] = p.weights(x)[:len(m.Table)+1]
	}
	for i := range 2 {
		if !slices.Equal(models[0], models[i+1]) {
			t.Errorf("road %d ends elsewhere", i+1)
		}
	}
}
