package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/learn/internal/learntest"
	"plyfit/learn/loss"
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

func TestInverseRoot(t *testing.T) {
	for x := float32(1e-6); x < 1e30; x *= 1.003 {
		want := 1 / math.Sqrt(float64(x))
		if got := float64(inverseRoot(x)); math.Abs(got-want) > 7e-4*want {
			t.Fatalf("inverseRoot(%v) is %v, want %v", x, got, want)
		}
	}
}

func TestAdaGradLearns(t *testing.T) {
	data, truth := learntest.PatternRows(5, 40000, 8, 200, 2)
	hold := SplitEvery(10, 1)
	for name, l := range map[string]Learner{
		"adagrad": AdaGrad{Options: Options{HeldOut: hold, Baselines: []Baseline{{"truth", truth}}}, Epochs: 3},
		"lbfgs":   LBFGS{Options: Options{HeldOut: hold, Baselines: []Baseline{{"truth", truth}}}, Steps: 30, Patience: 3},
	} {
		m := truth.Clone()
		clear(m.Table)
		r, err := l.Learn(context.Background(), m, data)
		if err != nil {
			t.Fatal(err)
		}
		if r.HeldOutLoss > r.Baselines[0].HeldOutLoss+0.02 || r.HeldOutLoss > r.Zero.HeldOutLoss-0.1 {
			t.Errorf("%s: held-out loss %v, truth %v, zero %v", name, r.HeldOutLoss, r.Baselines[0].HeldOutLoss, r.Zero.HeldOutLoss)
		}
	}
}

func TestFrozenInIterativeLearners(t *testing.T) {
	data := learntest.LogisticRows(rand.New(rand.NewPCG(8, 2)), 2000, []float64{1, -0.5, 0.25})
	for _, l := range []Learner{
		Newton{Options: Options{Frozen: []int32{1}}},
		LBFGS{Options: Options{Frozen: []int32{1}}},
		AdaGrad{Options: Options{Frozen: []int32{1}}, Epochs: 40},
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

// AdaGrad as the paper has it, in double precision with a root and a division for
// every step, proves the one with the quick root.
func TestAdaGradAgainstThePaper(t *testing.T) {
	data, m := learntest.PatternRows(11, 20000, 16, 500, 2)
	for i := range data {
		data[i].X[0].Value = float32(1 + i%5) // not all ones
	}
	w, sums := make([]float64, m.Len()), make([]float64, m.Len())
	square, rows := 0.0, 0.0
	for range 2 {
		for _, s := range data {
			z := 0.0
			for _, x := range s.X {
				z += w[x.Index] * float64(x.Value)
			}
			_, g, _ := loss.Logistic{}.Loss(z, s.Y)
			rows++
			square += (g*g - square) / rows
			for _, x := range s.X {
				v := float64(x.Value)
				if sums[x.Index] == 0 {
					sums[x.Index] = smallSquare + seenRows*square*v*v
				}
				sums[x.Index] += g * v * g * v
				w[x.Index] -= 0.07 * g * v / math.Sqrt(sums[x.Index])
			}
		}
	}
	fit := m.Clone()
	clear(fit.Table)
	if _, err := (AdaGrad{}).Learn(context.Background(), fit, data); err != nil {
		t.Fatal(err)
	}
	moved := 0.0
	for j, v := range fit.Table {
		moved = max(moved, math.Abs(w[j]))
		if math.Abs(float64(v)-w[j]) > 1e-3 {
			t.Errorf("weight %d is %v, want %v", j, v, w[j])
		}
	}
	if moved < 0.5 {
		t.Errorf("no weight is above %v", moved)
	}
}
