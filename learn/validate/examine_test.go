package validate

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/internal/vectors"
	"plyfit/learn"
	"plyfit/learn/internal/learntest"
	"plyfit/models"
)

func TestCalibrationOfTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	data := learntest.LogisticRows(rng, 20000, []float64{1, -0.5})
	m := learntest.Model(2)
	m.Bias, m.Weights[0], m.Weights[1] = 0.3, 1, -0.5
	v := Reading{Link: models.Link{Kind: models.Logistic}, Lo: 0, Hi: 1}
	strata := vectors.Must(ExamineModel(context.Background(), m, data, v)).Calibration
	if len(strata) != 10 {
		t.Fatalf("%d strata", len(strata))
	}
	outside := 0
	for i, s := range strata {
		if s.Rows < 1800 || s.Rows > 2200 || i > 0 && s.Predicted <= strata[i-1].Predicted {
			t.Errorf("stratum %+v", s)
		}
		if math.Abs(s.Realised-s.Predicted) > 1.96*s.Error {
			outside++
		}
		if math.Abs(s.Realised-s.Predicted) > 4*s.Error || s.Error > 0.02 || s.Error < 0.002 {
			t.Errorf("stratum %+v", s)
		}
	}
	if outside > 3 {
		t.Errorf("%d of 10 intervals miss", outside)
	}
	// With doubled sums the model is overconfident, and the calibration must show this.
	m.Bias, m.Weights[0], m.Weights[1] = 0.6, 2, -1
	strata = vectors.Must(ExamineModel(context.Background(), m, data, v)).Calibration
	if low, high := strata[0], strata[9]; low.Realised < low.Predicted+5*low.Error || high.Realised > high.Predicted-5*high.Error {
		t.Errorf("overconfidence not seen: %+v, %+v", low, high)
	}
}

func TestCrossValidation(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	// With thirty useless features and few rows, a penalty helps. With ten strong features and many
	// rows, it does not.
	weak, strong := make([]float64, 30), make([]float64, 10)
	weak[0] = 0.3
	for j := range strong {
		strong[j] = 5
	}
	a := vectors.Must(CrossValidate(context.Background(), learntest.Model(30), learntest.Simulated(rng, 40, 2, weak, 0, 3), learn.Options{}, Folds{}))
	b := vectors.Must(CrossValidate(context.Background(), learntest.Model(10), learntest.Simulated(rng, 500, 4, strong, 0, 1), learn.Options{}, Folds{}))
	if a.Best < 0.1 || b.Best > 1e-3 {
		t.Errorf("best penalties %v and %v", a.Best, b.Best)
	}
}

// TestCrossValidationByHand fits each fold to check that the loss of a trial is the loss on rows
// that were not used for training.
func TestCrossValidationByHand(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	data := learntest.Simulated(rng, 40, 5, []float64{1, 2}, 0.5, 1)
	f := Folds{Count: 4, Seed: 7, Penalties: []float64{0.01}}
	cv := vectors.Must(CrossValidate(context.Background(), learntest.Model(2), data, learn.Options{}, f))
	sum := 0.0
	for k := range 4 {
		m := learntest.Model(2)
		r := vectors.Must(learn.Ridge{Options: learn.Options{Penalty: 0.01, HeldOut: func(e uint64) bool { return f.Fold(e) == k }}}.Learn(context.Background(), m, data))
		sum += r.HeldOutLoss / 4
	}
	if !learntest.Near(cv.Trials[0].Loss, sum, 1e-9) {
		t.Errorf("loss %v, want %v", cv.Trials[0].Loss, sum)
	}
	// Separate fits must give the same result as the sums.
	f.Penalties = []float64{1, 0.01, 10}
	a := vectors.Must(CrossValidate(context.Background(), learntest.Model(2), data, learn.Options{HeldOut: learn.SplitEvery(5, 3)}, f))
	b := vectors.Must(CrossValidateFits(context.Background(), learntest.Model(2), data, learn.Options{HeldOut: learn.SplitEvery(5, 3)}, f, func(o learn.Options) learn.Learner { return learn.Ridge{Options: o} }))
	if a.Best != 0.01 || b.Best != 0.01 {
		t.Errorf("best %v and %v", a.Best, b.Best)
	}
	for i := range a.Trials {
		if !learntest.Near(a.Trials[i].Loss, b.Trials[i].Loss, 1e-9) || !learntest.Near(a.Trials[i].Error, b.Trials[i].Error, 1e-7) {
			t.Errorf("trials %+v and %+v", a.Trials[i], b.Trials[i])
		}
	}
}
