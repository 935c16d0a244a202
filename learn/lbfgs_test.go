package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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

// opened returns the objective for a fit. If the rows take more bytes than limit, they are stored
// in a file.
func opened(m *models.Linear, o *Options, data datasets.Samples, limit int64) *objective {
	f := vectors.Must(o.begin(context.Background(), m, math.MaxInt32, new(Report)))
	store := datasets.Keep(data)
	store.Limit = limit
	vectors.Check(f.open(store, loss.Logistic{}, nil))
	return vectors.Must(newObjective(f, loss.Logistic{}))
}

// TestDescentAgainstGonum compares the minimiser with the one in gonum. It must reach a point at
// least as low, in at most five more passes.
func TestDescentAgainstGonum(t *testing.T) {
	data, m := learntest.PatternRows(7, 6000, 12, 300, 2)
	p := opened(m, &Options{Penalty: 1e-3}, data, datasets.Unlimited)
	x, passes := make([]float64, len(p.prior)), 0
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

// TestRowFormats checks that rows give bit-identical results in memory and in a file, and with
// narrow and wide columns. With values other than 1, the weights must agree to within 1e-9. The
// moments must be the same whether they are counted or summed.
func TestRowFormats(t *testing.T) {
	data, m := learntest.PatternRows(9, 3000, 20, 400, 2)
	o := &Options{HeldOut: SplitEvery(4, 1), Penalty: 1e-4}
	// An additional feature in the held-out rows makes the design too wide for sixteen bits, or
	// gives their blocks a value other than 1.
	broad := models.New("none", "none/pattern", []models.Block{{Name: "pattern", Len: 400, Table: true}, {Name: "more", Len: design.Narrow, Table: true}})
	with := func(f models.Term) datasets.Rows {
		out := slices.Clone(data)
		for i := range out {
			if o.HeldOut(out[i].Episode) {
				out[i].X = append(slices.Clip(out[i].X), f)
			}
		}
		return out
	}
	one := opened(m, o, data, datasets.Unlimited)
	want := newWeights(one, 15)
	for name, road := range map[string]struct {
		m     *models.Linear
		data  datasets.Rows
		limit int64
	}{
		"file":         {m, data, 0},
		"wide":         {broad, with(models.Term{Index: 400 + design.Narrow - 1, Value: 1}), datasets.Unlimited},
		"numbers":      {m, with(models.Term{Index: 7, Value: 0.5}), datasets.Unlimited},
		"wide numbers": {broad, with(models.Term{Index: 400 + design.Narrow - 1, Value: 0.5}), 0},
	} {
		p := opened(road.m, o, road.data, road.limit)
		if one.Rows != p.Rows || one.Weight != p.Weight || !slices.Equal(one.Support, p.Support[:len(one.Support)]) {
			t.Errorf("%s: the tallies differ", name)
		}
		if !slices.Equal(p.scale[:len(one.scale)], one.scale) {
			t.Errorf("%s: the moments differ", name)
		}
		got := newWeights(p, 15)
		if strings.Contains(name, "numbers") { // such rows are added one by one
			for j := range want {
				if !learntest.Near(got[j], want[j], 1e-9) {
					t.Fatalf("%s: weight %d is %v, want %v", name, j, got[j], want[j])
				}
			}
		} else if !slices.Equal(got[:len(want)], want) {
			t.Errorf("%s ends elsewhere", name)
		}
	}
}

// newWeights returns the weights after the given number of steps.
func newWeights(p *objective, steps int) []float64 {
	return p.weights(LBFGS{Steps: steps}.minimise(p, new(Report)))
}

func TestLBFGSAgainstNewton(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	data := learntest.LogisticRows(rng, 3000, []float64{1, -0.5, 0.25})
	for i := range data { // different units
		data[i].X[1].Value *= 1000
	}
	prior := learntest.Model(3)
	prior.Weights[1] = 1
	for _, limit := range []int64{0, datasets.Unlimited} {
		for _, penalty := range []float64{0, 0.1} {
			a, b := learntest.Model(3), learntest.Model(3)
			o := Options{Penalty: penalty, Prior: prior}
			vectors.Must((Newton{Options: o}).Learn(context.Background(), a, data))
			kept := datasets.Keep(data)
			kept.Limit = limit
			r := vectors.Must(LBFGS{Options: o}.Learn(context.Background(), b, kept))
			for j := range a.Weights {
				if !learntest.Near(b.Weights[j]*math.Sqrt(spread(data, 3)[j]), a.Weights[j]*math.Sqrt(spread(data, 3)[j]), 1e-4) {
					t.Errorf("limit %d, penalty %v: weight %d is %v, want %v (%v)", limit, penalty, j, b.Weights[j], a.Weights[j], r.Notes)
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
