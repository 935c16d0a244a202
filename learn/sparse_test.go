package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/learn/internal/learntest"
)

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
			if _, err := (Newton{Options: o}).Learn(context.Background(), a, data); err != nil {
				t.Fatal(err)
			}
			r, err := LBFGS{Options: o, Cache: cache}.Learn(context.Background(), b, data)
			if err != nil {
				t.Fatal(err)
			}
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
	r, err := LBFGS{Options: Options{HeldOut: SplitEvery(10, 1), Baselines: []Baseline{{"truth", truth}}}, Steps: 30}.Learn(context.Background(), m, data)
	if err != nil {
		t.Fatal(err)
	}
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
		if _, err := l.Learn(context.Background(), m, data); err != nil {
			t.Fatal(err)
		}
		if m.Weights[1] != -0.5 || math.Abs(m.Weights[0]-1) > 0.15 || math.Abs(m.Weights[2]-0.25) > 0.15 {
			t.Errorf("%T: %v", l, m.Weights)
		}
	}
}
