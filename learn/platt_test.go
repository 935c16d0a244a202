package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/datasets"
	"plyfit/learn/internal/learntest"
	"plyfit/models"
)

// plattRows are results of a world in which the log odds are 0.6 x + 0.3 in player
// 0's view; every other row is seen by the other player.
func plattRows(n int, m *models.Linear) learntest.Rows {
	rng := rand.New(rand.NewPCG(7, 1))
	var data learntest.Rows
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
	m.Link = models.Link{Kind: models.Tanh, Scale: 0.5} // log odds are the sum itself
	data := plattRows(40000, m)
	p, err := FitPlatt(context.Background(), m, data, -1, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
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

// The errors of slope and shift are those of fits to other games of the same
// kind, which share results within an episode.
func TestPlattErrors(t *testing.T) {
	m := learntest.Model(1)
	m.Weights[0] = 1
	m.Link = models.Link{Kind: models.Logistic, Scale: 1}
	rng := rand.New(rand.NewPCG(3, 9))
	var slopes []float64
	reported := 0.0
	const fits = 300
	for range fits {
		var data learntest.Rows
		for e := range uint64(150) {
			x := rng.NormFloat64()
			y := 0.0
			if rng.Float64() < learntest.Logistic(x) {
				y = 1
			}
			for range 6 { // positions of one game: much the same, with one result
				v := learntest.Vector(x + 0.1*rng.NormFloat64())
				data = append(data, datasets.Sample{X: v, Y: y, Weight: 1, Episode: e})
			}
		}
		p, err := FitPlatt(context.Background(), m, data, 0, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
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
	got := Isotonic([]float64{1, 3, 2, 2, 5, 4}, []float64{1, 1, 1, 2, 1, 3})
	want := []float64{1, 2.25, 2.25, 2.25, 4.25, 4.25}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Isotonic(nil, nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
