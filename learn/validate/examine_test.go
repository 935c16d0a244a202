package validate

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/datasets"
	"plyfit/learn/internal/learntest"
	"plyfit/models"
)

func TestCalibrationOfTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	data := learntest.LogisticRows(rng, 20000, []float64{1, -0.5})
	m := learntest.Model(2)
	m.Bias, m.Weights[0], m.Weights[1] = 0.3, 1, -0.5
	v := Reading{Link: models.Link{Kind: models.Logistic}, Lo: 0, Hi: 1}
	strata, err := Calibrate(context.Background(), m, data, v, 0)
	if err != nil {
		t.Fatal(err)
	}
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
	// The same sums taken for twice as much are overconfident, and show it.
	m.Bias, m.Weights[0], m.Weights[1] = 0.6, 2, -1
	if strata, err = Calibrate(context.Background(), m, data, v, 0); err != nil {
		t.Fatal(err)
	}
	if low, high := strata[0], strata[9]; low.Realised < low.Predicted+5*low.Error || high.Realised > high.Predicted-5*high.Error {
		t.Errorf("overconfidence not seen: %+v, %+v", low, high)
	}
}

// Errors of a stratum's mean must describe its scatter: intervals cover.
func TestResidualErrorsAreClustered(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	m := learntest.Model(1)
	m.Bias, m.Weights[0] = 1, 2
	cover := 0
	for range 300 {
		strata, err := Residuals(context.Background(), m, learntest.Simulated(rng, 60, 10, []float64{2}, 1, 0.5), Reading{}, func(s *datasets.Sample) string {
			if s.X[1].Value > 0 {
				return "up"
			}
			return "down"
		})
		if err != nil || len(strata) != 2 || strata[0].Group != "down" {
			t.Fatal(strata, err)
		}
		for _, s := range strata {
			if math.Abs(s.Realised-s.Predicted) < 1.96*s.Error {
				cover++
			}
		}
	}
	if p := float64(cover) / 600; p < 0.9 || p > 0.98 {
		t.Errorf("intervals cover in %.3f of cases", p)
	}
}
