package validate

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/learn"
	"plyfit/learn/internal/learntest"
)

func TestCrossValidation(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	// Thirty useless features and few rows: shrinking pays. Ten strong ones and
	// many rows: it does not.
	weak, strong := make([]float64, 30), make([]float64, 10)
	weak[0] = 0.3
	for j := range strong {
		strong[j] = 5
	}
	a, err := CrossValidate(context.Background(), learntest.Model(30), learntest.Simulated(rng, 40, 2, weak, 0, 3), learn.Options{}, Folds{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := CrossValidate(context.Background(), learntest.Model(10), learntest.Simulated(rng, 500, 4, strong, 0, 1), learn.Options{}, Folds{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Best < 0.1 || b.Best > 1e-3 || a.OneError < a.Best || b.OneError < b.Best {
		t.Errorf("best penalties %v (%v) and %v (%v)", a.Best, a.OneError, b.Best, b.OneError)
	}
	for _, s := range b.Spreads[1:] {
		if !s.Signs || math.Abs(s.Mean-5) > 5*s.Error+0.1 || s.Error > 0.2 || s.Min > s.Mean || s.Max < s.Mean {
			t.Errorf("spread %+v", s)
		}
	}
}

// A trial's loss is the loss on rows not trained on, by fits of each fold.
func TestCrossValidationByHand(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	data := learntest.Simulated(rng, 40, 5, []float64{1, 2}, 0.5, 1)
	f := Folds{Count: 4, Seed: 7, Penalties: []float64{0.01}}
	cv, err := CrossValidate(context.Background(), learntest.Model(2), data, learn.Options{}, f)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for k := range 4 {
		m := learntest.Model(2)
		r, err := learn.Ridge{Options: learn.Options{Penalty: 0.01, HeldOut: func(e uint64) bool { return f.Fold(e) == k }}}.Learn(context.Background(), m, data)
		if err != nil {
			t.Fatal(err)
		}
		sum += r.HeldOutLoss / 4
	}
	if !learntest.Near(cv.Trials[0].Loss, sum, 1e-9) {
		t.Errorf("loss %v, want %v", cv.Trials[0].Loss, sum)
	}
	// And fits one by one give the same as sums.
	f.Penalties = []float64{1, 0.01, 10}
	a, err := CrossValidate(context.Background(), learntest.Model(2), data, learn.Options{HeldOut: learn.SplitEvery(5, 3)}, f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := CrossValidateFits(context.Background(), learntest.Model(2), data, learn.Options{HeldOut: learn.SplitEvery(5, 3)}, f, func(o learn.Options) learn.Learner { return learn.Ridge{Options: o} })
	if err != nil {
		t.Fatal(err)
	}
	if a.Best != 0.01 || b.Best != 0.01 || a.OneError != b.OneError {
		t.Errorf("best %v and %v", a.Best, b.Best)
	}
	for i := range a.Trials {
		if !learntest.Near(a.Trials[i].Loss, b.Trials[i].Loss, 1e-9) || !learntest.Near(a.Trials[i].Error, b.Trials[i].Error, 1e-7) {
			t.Errorf("trials %+v and %+v", a.Trials[i], b.Trials[i])
		}
	}
	for i := range a.Spreads {
		if !learntest.Near(a.Spreads[i].Mean, b.Spreads[i].Mean, 1e-9) || !learntest.Near(a.Spreads[i].Error, b.Spreads[i].Error, 1e-6) || a.Spreads[i].Signs != b.Spreads[i].Signs {
			t.Errorf("spreads %+v and %+v", a.Spreads[i], b.Spreads[i])
		}
	}
}

func TestImportanceAgainstRefits(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	data := learntest.Simulated(rng, 100, 5, []float64{1, 0.2, 3}, 0, 1)
	held := learn.SplitEvery(4, 2)
	o := learn.Options{HeldOut: held, Penalty: 1e-3}
	drops, err := Importance(context.Background(), learntest.Model(3), data, o)
	if err != nil {
		t.Fatal(err)
	}
	m := learntest.Model(3)
	full, err := learn.Ridge{Options: o}.Learn(context.Background(), m, data)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range drops {
		m := learntest.Model(3)
		o := o
		o.Frozen = []int32{d.Index}
		r, err := learn.Ridge{Options: o}.Learn(context.Background(), m, data)
		if err != nil {
			t.Fatal(err)
		}
		// Without the bias as a column, variances are second moments; allow for
		// that in the bias's own entry.
		tol := 1e-8
		if i == 0 {
			tol = 0.01
		}
		if math.Abs(d.Rise-(r.HeldOutLoss-full.HeldOutLoss)) > tol {
			t.Errorf("%s: rise %v, want %v", d.Name, d.Rise, r.HeldOutLoss-full.HeldOutLoss)
		}
	}
}
