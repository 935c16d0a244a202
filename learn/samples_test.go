package learn

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/datasets"
	"plyfit/learn/internal/learntest"
	"plyfit/models"
)

func TestFitScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	m := learntest.Model(2)
	m.Weights[0], m.Weights[1] = 300, 100 // centipawns, say
	var data learntest.Rows
	for i := range 40000 {
		x := learntest.Vector(rng.NormFloat64(), rng.NormFloat64())
		y := -1.0
		if rng.Float64() < learntest.Logistic(0.004*m.Dot(x)) {
			y = 1
		}
		data = append(data, datasets.Sample{X: x, Y: y, Weight: 1, Episode: uint64(i)})
	}
	a, err := FitScale(context.Background(), m, data, models.Logistic, -1, 1, nil)
	if err != nil || math.Abs(a-0.004) > 0.0002 {
		t.Errorf("scale %v, want 0.004; %v", a, err)
	}
	b, err := FitScale(context.Background(), m, data, models.Tanh, -1, 1, nil)
	if err != nil || !learntest.Near(b, a/2, 1e-9) {
		t.Errorf("tanh scale %v, want half of %v; %v", b, a, err)
	}
	m.Weights[0], m.Weights[1] = -300, -100
	if s, err := FitScale(context.Background(), m, data, models.Tanh, -1, 1, nil); err == nil {
		t.Errorf("an evaluation turned round has scale %v", s)
	}
	clear(m.Weights)
	if s, err := FitScale(context.Background(), m, data, models.Tanh, -1, 1, nil); err == nil {
		t.Errorf("an evaluation of zero has scale %v", s)
	}
}

// counted counts the passes over rows.
type counted struct {
	learntest.Rows
	passes *int
}

func (c counted) All() iter.Seq2[*datasets.Sample, error] {
	*c.passes++
	return c.Rows.All()
}

// TestFitScaleEnds: near the best scale the sum of losses is all rounding. The search ends
// there, after a handful of passes.
func TestFitScaleEnds(t *testing.T) {
	m := learntest.Model(1)
	m.Weights[0] = 1
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 8))
		var data learntest.Rows
		for i := range 400 {
			z := 2 * rng.NormFloat64()
			y := math.Tanh(0.3*z + 0.5*rng.NormFloat64())
			data = append(data, datasets.Sample{X: learntest.Vector(z), Y: y, Weight: 1, Episode: uint64(i)})
		}
		passes := 0
		if _, err := FitScale(context.Background(), m, counted{data, &passes}, models.Tanh, -1, 1, nil); err != nil {
			t.Fatal(err)
		}
		if passes > 60 {
			t.Fatalf("seed %d: %d passes, want at most 60", seed, passes)
		}
	}
}

// Centring takes away what all alternatives share, whatever it is.
func TestCentred(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 3))
	var data learntest.Rows
	for e := range 200 {
		u := 100 * rng.NormFloat64()
		for range 1 + rng.IntN(4) {
			a, b := rng.NormFloat64(), rng.NormFloat64()
			x := learntest.Vector(a, b)
			y := u + 2*float64(x[1].Value) - float64(x[2].Value)
			data = append(data, datasets.Sample{X: x, Y: y, Weight: 1 + rng.Float64(), Episode: uint64(e)})
		}
	}
	m := learntest.Model(2)
	prior := learntest.Model(2)
	prior.Bias = 4
	r, err := Ridge{Options: Options{Prior: prior}}.Learn(context.Background(), m, Centred{data, func(s *datasets.Sample) uint64 { return s.Episode }})
	if err != nil {
		t.Fatal(err)
	}
	if !learntest.Near(m.Weights[0], 2, 1e-4) || !learntest.Near(m.Weights[1], -1, 1e-4) || m.Bias != 4 || r.Rows >= int64(len(data)) {
		t.Errorf("weights %v, bias %v, %d rows", m.Weights, m.Bias, r.Rows)
	}
}
