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
	"plyfit/learn/internal/learntest"
	"plyfit/learn/loss"
	"plyfit/models"
)

func TestNewtonAgainstGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	truth := []float64{1, -0.5, 0.25}
	data := learntest.LogisticRows(rng, 3000, truth)
	for _, criterion := range []loss.Function{nil, loss.Logistic{Scale: 2, Lo: 0, Hi: 1}, loss.Squared{Link: models.Link{Kind: models.Tanh}, Lo: 0, Hi: 1}} {
		m := learntest.Model(3)
		r := vectors.Must(Newton{Loss: criterion}.Learn(context.Background(), m, data))
		if criterion == nil {
			criterion = loss.Logistic{}
		}
		objective := func(w []float64) float64 {
			sum := 0.0
			for _, s := range data {
				z := w[3]
				for j := range truth {
					z += w[j] * float64(s.X[j+1].Value)
				}
				l, _, _ := criterion.Loss(z, s.Y)
				sum += l / 3000
			}
			return sum
		}
		res := vectors.Must(optimize.Minimize(optimize.Problem{Func: objective}, make([]float64, 4), nil, &optimize.NelderMead{}))
		for j := range truth {
			if !learntest.Near(m.Weights[j], res.X[j], 2e-4) {
				t.Errorf("%T weight %d: %v, want %v", criterion, j, m.Weights[j], res.X[j])
			}
		}
		if !learntest.Near(r.Loss, res.F, 1e-6) || r.Loss > res.F+1e-9 || r.Steps > 30 {
			t.Errorf("%T: loss %v, want %v; %d steps", criterion, r.Loss, res.F, r.Steps)
		}
		if r.Constant.Loss <= r.Loss || r.Constant.Loss > r.Zero.Loss {
			t.Errorf("%T: constant %v, zero %v, fit %v", criterion, r.Constant.Loss, r.Zero.Loss, r.Loss)
		}
	}
}

func TestNewtonErrorsCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	truth := []float64{0.8, -0.4}
	cover := 0
	for range 200 {
		m := learntest.Model(2)
		vectors.Must((Newton{}).Learn(context.Background(), m, learntest.LogisticRows(rng, 800, truth)))
		for j := range truth {
			if math.Abs(m.Weights[j]-truth[j]) < 1.96*m.Errors[j] {
				cover++
			}
		}
	}
	if p := float64(cover) / 400; p < 0.91 || p > 0.98 {
		t.Errorf("intervals cover the truth in %.3f of cases", p)
	}
}

func TestSeparableLabels(t *testing.T) {
	var data datasets.Rows
	for i := range 200 {
		x := float64(i-100) + 0.5
		y := 0.0
		if x > 0 {
			y = 1
		}
		data = append(data, datasets.Sample{X: learntest.Vector(x), Y: y, Weight: 1, Episode: uint64(i)})
	}
	m := learntest.Model(1)
	r := vectors.Must(Newton{Steps: 15}.Learn(context.Background(), m, data))
	if m.Weights[0] <= 0 || m.Weights[0]-m.Weights[0] != 0 || !strings.Contains(strings.Join(r.Notes, " "), "separable") {
		t.Errorf("weight %v, notes %v", m.Weights[0], r.Notes)
	}
	m = learntest.Model(1)
	if r, err := (Newton{Options: Options{Penalty: 1e-3}}).Learn(context.Background(), m, data); err != nil || len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "separated: ") || !slices.Equal(separatedNames(&r), []string{"f0"}) {
		t.Errorf("with a penalty: %v, %v", r.Notes, err)
	}
}

func TestLossDerivatives(t *testing.T) {
	tanh := models.Link{Kind: models.Tanh, Scale: 0.7}
	for _, l := range []loss.Averager{loss.Squared{}, loss.Squared{Link: tanh, Lo: -2, Hi: 4}, loss.Squared{Link: models.Link{Kind: models.Logistic, Scale: 2}, Lo: 0, Hi: 3}, loss.Logistic{}, loss.ForLink(tanh, -1, 1)} {
		for _, z := range []float64{-3, -0.1, 0, 0.4, 2} {
			for _, y := range []float64{0, 0.3, 1} {
				const h = 1e-5
				up, gu, _ := l.Loss(z+h, y)
				down, gd, _ := l.Loss(z-h, y)
				_, grad, hess := l.Loss(z, y)
				if !learntest.Near(grad, (up-down)/(2*h), 1e-6) {
					t.Errorf("%+v at %v, %v: gradient %v, want %v", l, z, y, grad, (up-down)/(2*h))
				}
				if _, squared := l.(loss.Squared); !squared && !learntest.Near(hess, (gu-gd)/(2*h), 1e-6) {
					t.Errorf("%+v at %v, %v: hess %v, want %v", l, z, y, hess, (gu-gd)/(2*h))
				}
			}
		}
		// The constant must minimise the mean loss over labels whose mean is 0.4.
		c := l.Constant(0.4)
		total := func(z float64) float64 {
			a, _, _ := l.Loss(z, 0.1)
			b, _, _ := l.Loss(z, 0.7)
			return a + b
		}
		if total(c) > total(c+0.01) || total(c) > total(c-0.01) {
			t.Errorf("%+v: constant %v is not best", l, c)
		}
	}
	if l, _, _ := (loss.Logistic{}).Loss(800, 0); l != 800 {
		t.Errorf("logistic loss of 800: %v", l)
	}
}

// TestBoundsOnlyPull checks that a bound adds no loss if the prediction already respects the bound.
func TestBoundsOnlyPull(t *testing.T) {
	var data datasets.Rows
	for i := range 300 {
		s := datasets.Sample{X: learntest.Vector(float64(i % 3)), Y: 2, Weight: 1, Episode: uint64(i)}
		if i%2 == 1 {
			s.Y, s.Kind = 1, 1 // a lower bound of 1, which the prediction 2 respects
		}
		data = append(data, s)
	}
	m := learntest.Model(1)
	vectors.Must((Newton{Loss: loss.Squared{}}).Learn(context.Background(), m, data))
	if !learntest.Near(m.Bias, 2, 1e-6) || !learntest.Near(m.Weights[0], 0, 1e-6) {
		t.Errorf("bias %v, weight %v", m.Bias, m.Weights[0])
	}
}
