package learn

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/datasets"
	"plyfit/internal/vectors"
	"plyfit/learn/internal/learntest"
	"plyfit/models"
)

// plattRows returns results whose log odds are 0.6 x + 0.3 from player 0's point of view. Every
// other row is from the other player's point of view.
func plattRows(n int, m *models.Linear) datasets.Rows {
	rng := rand.New(rand.NewPCG(7, 1))
	var data datasets.Rows
	for i := range n {
		x := learntest.Vector(rng.NormFloat64(), rng.NormFloat64())
		y := -1.0
		if rng.Float64() < learntest.Logistic(0.6*m.Dot(x)+0.3) {
			y = 1
		}
		if i%2 == 1 {
			y = -y
			for j := range x {
				x[j].Value *= -1
			}
		}
		data = append(data, datasets.Sample{X: x, Y: y, Weight: 1, Episode: uint64(i / 4)})
	}
	return data
}

func TestFitPlatt(t *testing.T) {
	m := learntest.Model(2)
	m.Weights[0], m.Weights[1] = 1.5, 1
	m.Link = models.Link{Kind: models.Tanh, Scale: 0.5} // the log odds are the weighted sum itself
	data := plattRows(40000, m)
	p := vectors.Must(FitPlatt(context.Background(), m, data, -1, 1, nil))
	if math.Abs(p.Slope-0.6) > 3.5*p.SlopeError || math.Abs(p.Shift-0.3) > 3.5*p.ShiftError || p.SlopeError > 0.03 || p.ShiftError > 0.03 {
		t.Errorf("slope %.4f ± %.4f and shift %.4f ± %.4f, want 0.6 and 0.3", p.Slope, p.SlopeError, p.Shift, p.ShiftError)
	}
	if !(p.After < p.Before) || p.Rows != 40000 || p.Episodes != 10000 {
		t.Errorf("loss %v to %v over %d rows of %d episodes", p.Before, p.After, p.Rows, p.Episodes)
	}
	if before, after, err := p.Losses(context.Background(), m, data, -1, 1, nil); err != nil || before != p.Before || after != p.After {
		t.Errorf("losses of the rows fitted are %v and %v, want %v and %v; %v", before, after, p.Before, p.After, err)
	}
	p.Apply(m)
	again, err := FitPlatt(context.Background(), m, data, -1, 1, nil)
	if err != nil || math.Abs(again.Slope-1) > 1e-6 || math.Abs(again.Shift) > 1e-6 || !learntest.Near(again.Before, p.After, 1e-9) {
		t.Errorf("calibrated, the model has slope %v and shift %v, loss %v after %v; %v", again.Slope, again.Shift, again.Before, p.After, err)
	}
	for name, weights := range map[string][2]float64{"turned round": {-1.5, -1}, "zero": {0, 0}} {
		m.Weights[0], m.Weights[1], m.Bias = weights[0], weights[1], 0
		if p, err := FitPlatt(context.Background(), m, data, -1, 1, nil); err == nil {
			t.Errorf("an evaluation %s is calibrated by %+v", name, p)
		}
	}
	m.Link = models.Link{Kind: models.Identity}
	if _, err := FitPlatt(context.Background(), m, data, -1, 1, nil); err == nil {
		t.Error("a model without a link is calibrated")
	}
}

// TestPlattErrors compares the standard error of the slope with the variation between fits to
// different games. Rows of an episode share its result.
func TestPlattErrors(t *testing.T) {
	m := learntest.Model(1)
	m.Weights[0] = 1
	m.Link = models.Link{Kind: models.Logistic, Scale: 1}
	rng := rand.New(rand.NewPCG(3, 9))
	var slopes []float64
	reported := 0.0
	const fits = 300
	for range fits {
		var data datasets.Rows
		for e := range uint64(150) {
			x := rng.NormFloat64()
			y := 0.0
			if rng.Float64() < learntest.Logistic(x) {
				y = 1
			}
			for range 6 { // similar positions in the same game, with the same result
				v := learntest.Vector(x + 0.1*rng.NormFloat64())
				data = append(data, datasets.Sample{X: v, Y: y, Weight: 1, Episode: e})
			}
		}
		p := vectors.Must(FitPlatt(context.Background(), m, data, 0, 1, nil))
		slopes = append(slopes, p.Slope)
		reported += p.SlopeError / fits
	}
	mean, square := 0.0, 0.0
	for _, s := range slopes {
		mean += s / fits
	}
	for _, s := range slopes {
		square += (s - mean) * (s - mean) / (fits - 1)
	}
	if sd := math.Sqrt(square); reported < 0.85*sd || reported > 1.2*sd {
		t.Errorf("standard error %.4f, slopes scatter by %.4f", reported, sd)
	}
}

func TestIsotonic(t *testing.T) {
	x, y := Isotonic([]float64{1, 2, 3, 4, 5, 6}, []float64{1, 3, 2, 2, 5, 4}, []float64{1, 1, 1, 2, 1, 3})
	if !slices.Equal(x, []float64{1, 3.25, 5.75}) || !slices.Equal(y, []float64{1, 2.25, 4.25}) {
		t.Errorf("%v, %v", x, y)
	}
}

func TestFitScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	m := learntest.Model(2)
	m.Weights[0], m.Weights[1] = 300, 100 // for example in centipawns
	var data datasets.Rows
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
	datasets.Rows
	passes *int
}

func (c counted) All() iter.Seq2[*datasets.Sample, error] {
	*c.passes++
	return c.Rows.All()
}

// TestFitScaleEnds checks that the search ends after at most 60 passes. Near the best scale,
// differences in the loss consist only of rounding errors.
func TestFitScaleEnds(t *testing.T) {
	m := learntest.Model(1)
	m.Weights[0] = 1
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 8))
		var data datasets.Rows
		for i := range 400 {
			z := 2 * rng.NormFloat64()
			y := math.Tanh(0.3*z + 0.5*rng.NormFloat64())
			data = append(data, datasets.Sample{X: learntest.Vector(z), Y: y, Weight: 1, Episode: uint64(i)})
		}
		passes := 0
		vectors.Must(FitScale(context.Background(), m, counted{data, &passes}, models.Tanh, -1, 1, nil))
		if passes > 60 {
			t.Fatalf("seed %d: %d passes, want at most 60", seed, passes)
		}
	}
}

// TestCentred checks that centring removes the part that all alternatives share.
func TestCentred(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 3))
	var data datasets.Rows
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
	r := vectors.Must(Ridge{Options: Options{Prior: prior}}.Learn(context.Background(), m, Centred{data, func(s *datasets.Sample) uint64 { return s.Episode }}))
	if !learntest.Near(m.Weights[0], 2, 1e-4) || !learntest.Near(m.Weights[1], -1, 1e-4) || m.Bias != 4 || r.Rows >= int64(len(data)) {
		t.Errorf("weights %v, bias %v, %d rows", m.Weights, m.Bias, r.Rows)
	}
}
