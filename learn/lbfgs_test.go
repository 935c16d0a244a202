package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/optimize"
	"plyfit/datasets"
	"plyfit/internal/vectors"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/learntest"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
	"plyfit/models"
)

// openStore is a first pass over data with every other episode held out.
func openStore(t *testing.T, m *models.Linear, o *Options, data datasets.Samples, criterion loss.Function, limit int64) (*objective, *design.Tally, *design.Moments) {
	t.Helper()
	d := vectors.Must(design.New(m, o.Frozen, math.MaxInt32))
	tally := design.NewTally(d.Width())
	store := &design.RowStore{Ctx: context.Background(), Data: data, Model: m, Split: o.split(), Matrix: d, Loss: criterion}
	mo := vectors.Must(store.Open(tally, limit))
	return newObjective(store, tally, mo, mo.Variances(d, tally.Weight), d.Priors(o.Prior), o.Penalty), tally, mo
}

// gonum's method is the reference: it finds no point lower than ours, in more
// passes.
func TestDescentAgainstGonum(t *testing.T) {
	data, m := learntest.PatternRows(7, 6000, 12, 300, 2)
	p, _, _ := openStore(t, m, &Options{Penalty: 1e-3}, data, loss.Logistic{}, 1<<30)
	x, passes := make([]float64, len(p.w)), 0
	value := func(x, grad []float64) (float64, error) { passes++; return p.value(x, grad) }
	d := numeric.QuasiNewton{Value: value, Curve: p.curve, Step: func() {}, Iterations: 400, Pairs: 8}
	if err := d.Minimise(x); err != nil && err != numeric.ErrFloor {
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
	if f > want.F+1e-12 || numeric.Largest(grad) > 1e-7 {
		t.Errorf("lowest value %v with a gradient of %v, gonum's %v", f, numeric.Largest(grad), want.F)
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
	data, m := learntest.PatternRows(9, 3000, 20, 400, 2)
	o := &Options{HeldOut: SplitEvery(4, 1), Penalty: 1e-4}
	kept, t1, m1 := openStore(t, m, o, data, loss.Logistic{}, 1<<30)
	anew, t2, m2 := openStore(t, m, o, data, loss.Logistic{}, 0)
	// A feature that is never seen makes the design too wide for sixteen bits.
	broad := models.New("none", "none/pattern", []models.Block{{Name: "pattern", Len: 400, Table: true}, {Name: "more", Len: design.Narrow, Table: true}})
	wide, t3, m3 := openStore(t, broad, o, data, loss.Logistic{}, 1<<30)
	if kept.store.Training[0].Short == nil || wide.store.Training[0].Cols == nil || anew.store.Kept {
		t.Fatal("not the roads that were meant")
	}
	if t1.Rows != t2.Rows || t1.Weight != t3.Weight || !slices.Equal(t1.Support, t2.Support) || !slices.Equal(t1.Support, t3.Support[:len(t1.Support)]) {
		t.Error("the tallies differ")
	}
	for j := range m1.Column {
		a, b, c := m1.Column[j], m2.Column[j], m3.Column[j]
		if a.Square != c.Square || a.Cross != c.Cross || a.Square != b.Square {
			t.Fatalf("column %d: %v, %v, %v", j, a, b, c)
		}
	}
	var models [3][]float64
	for i, p := range []*objective{kept, anew, wide} {
		var r Report
		x := LBFGS{Steps: 15}.minimise(p, &r)
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

func TestLBFGSAgainstNewton(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	data := learntest.LogisticRows(rng, 3000, []float64{1, -0.5, 0.25})
	for i := range data { // units of their own
		data[i].X[1].Value *= 1000
	}
	prior := learntest.Model(3)
	prior.Weights[1] = 1
	for _, cache := range []int64{0, 1} { // kept, and read anew
		for _, penalty := range []float64{0, 0.1} {
			a, b := learntest.Model(3), learntest.Model(3)
			o := Options{Penalty: penalty, Prior: prior}
			vectors.Must((Newton{Options: o}).Learn(context.Background(), a, data))
			r := vectors.Must(LBFGS{Options: o, Cache: cache}.Learn(context.Background(), b, data))
			for j := range a.Weights {
				if !learntest.Near(b.Weights[j]*math.Sqrt(spread(data, 3)[j]), a.Weights[j]*math.Sqrt(spread(data, 3)[j]), 1e-4) {
					t.Errorf("cache %d, penalty %v: weight %d is %v, want %v (%v)", cache, penalty, j, b.Weights[j], a.Weights[j], r.Notes)
				}
			}
		}
	}
}

func TestLBFGSLearns(t *testing.T) {
	data, truth := learntest.PatternRows(5, 40000, 8, 200, 2)
	m := truth.Clone()
	clear(m.Table)
	r := vectors.Must(LBFGS{Options: Options{HeldOut: SplitEvery(10, 1), Baselines: []Baseline{{"truth", truth}}}, Steps: 30}.Learn(context.Background(), m, data))
	if r.HeldOutLoss > r.Baselines[0].HeldOutLoss+0.02 || r.HeldOutLoss > r.Zero.HeldOutLoss-0.1 {
		t.Errorf("held-out loss %v, truth %v, zero %v", r.HeldOutLoss, r.Baselines[0].HeldOutLoss, r.Zero.HeldOutLoss)
	}
}

func TestFrozenInIterativeLearners(t *testing.T) {
	data := learntest.LogisticRows(rand.New(rand.NewPCG(8, 2)), 2000, []float64{1, -0.5, 0.25})
	for _, l := range []Learner{
		Newton{Options: Options{Frozen: []int32{1}}},
		LBFGS{Options: Options{Frozen: []int32{1}}},
	} {
		m := learntest.Model(3)
		m.Weights[1] = -0.5
		vectors.Must(l.Learn(context.Background(), m, data))
		if m.Weights[1] != -0.5 || math.Abs(m.Weights[0]-1) > 0.15 || math.Abs(m.Weights[2]-0.25) > 0.15 {
			t.Errorf("%T: %v", l, m.Weights)
		}
	}
}
