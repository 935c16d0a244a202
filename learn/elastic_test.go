package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/learn/internal/learntest"
)

// At the minimum of the elastic net the subgradient holds zero: for a moved
// weight the gradient of loss and square balances the absolute part, for one at
// its prior it stays below.
func TestElasticNetIsOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	truth := []float64{3, 0, -2, 0, 0.01}
	data := learntest.Simulated(rng, 200, 5, truth, 0, 1)
	prior := learntest.Model(5)
	prior.Weights[1] = 0.02
	const penalty, mix = 0.05, 0.7
	m := learntest.Model(5)
	r, err := ElasticNet{Options{Penalty: penalty, Prior: prior}, mix}.Learn(context.Background(), m, data)
	if err != nil {
		t.Fatal(err)
	}
	v := spread(data, 5)
	// sd of y - prior about its mean.
	var mean, square float64
	for _, s := range data {
		y := s.Y - prior.Dot(s.X)
		mean += y / float64(len(data))
		square += y * y / float64(len(data))
	}
	sd := math.Sqrt(square - mean*mean)
	moved := 0
	for j := range truth {
		grad := 0.0
		for _, s := range data {
			grad += 2 * (m.Dot(s.X) - s.Y) * float64(s.X[j+1].Value) / float64(len(data))
		}
		d := m.Weights[j] - prior.Weights[j]
		grad += 2 * penalty * (1 - mix) * v[j] * d
		cut := 2 * penalty * mix * sd * math.Sqrt(v[j])
		switch {
		case d == 0 && math.Abs(grad) > cut*(1+1e-9):
			t.Errorf("weight %d stays though its gradient %v exceeds %v", j, grad, cut)
		case d != 0 && !learntest.Near(grad, -math.Copysign(cut, d), 1e-7):
			t.Errorf("weight %d: gradient %v, want %v", j, grad, -math.Copysign(cut, d))
		}
		if d != 0 {
			moved++
		}
	}
	if moved != 2 || !strings.Contains(strings.Join(r.Notes, "\n"), "weights moved") {
		t.Errorf("%d weights moved: %v; %v", moved, m.Weights, r.Notes)
	}
	m = learntest.Model(5)
	if _, err := (ElasticNet{Options{Penalty: 1 / mix, Prior: prior}, mix}).Learn(context.Background(), m, data); err != nil || m.Weights[0] != 0 || m.Weights[1] != prior.Weights[1] {
		t.Errorf("at 1/mix: %v, %v", m.Weights, err)
	}
}
