// Package learntest generates samples for tests of fits.
package learntest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"plyfit/datasets"
	"plyfit/models"
)

// Model returns a model with n features f0, f1, ...
func Model(n int) *models.Linear {
	var blocks []models.Block
	for i := range n {
		blocks = append(blocks, models.Block{Name: fmt.Sprintf("f%d", i), Len: 1})
	}
	return models.New("none", "none/test", blocks)
}

// Vector returns a row with the given dense values and the bias.
func Vector(values ...float64) models.Vector {
	x := models.Vector{{Index: models.Bias, Value: 1}}
	for i, v := range values {
		if v != 0 {
			x = append(x, models.Term{Index: int32(i), Value: float32(v)})
		}
	}
	return x
}

// Simulated generates episodes with the given number of rows. The labels are y = 1 + w.x plus a
// shock per episode plus noise. Features are also correlated within an episode.
func Simulated(rng *rand.Rand, episodes, rows int, w []float64, shock, noise float64) datasets.Rows {
	var out datasets.Rows
	for e := range episodes {
		u := shock * rng.NormFloat64()
		center := make([]float64, len(w))
		for j := range center {
			center[j] = rng.NormFloat64()
		}
		for range rows {
			x := make([]float64, len(w))
			y := 1 + u + noise*rng.NormFloat64()
			for j := range x {
				x[j] = float64(float32(center[j] + rng.NormFloat64()))
				y += w[j] * x[j]
			}
			out = append(out, datasets.Sample{X: Vector(x...), Y: y, Weight: 1, Episode: uint64(e)})
		}
	}
	return out
}

func Near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*math.Max(1, math.Abs(b)) }

// PatternRows generates a sparse problem. Each row has k terms of value 1, drawn from n features.
// The probability of feature i is roughly proportional to 1/i (Zipf's law). Labels are 0 or 1. They
// are drawn from the logistic function of a sum that is approximately normally distributed, with
// standard deviation spread.
func PatternRows(seed uint64, rows, k, n int, spread float64) (datasets.Rows, *models.Linear) {
	rng := rand.New(rand.NewPCG(seed, 1))
	truth := models.New("none", "none/pattern", []models.Block{{Name: "pattern", Len: n, Table: true}})
	for i := range truth.Table {
		truth.Table[i] = float32(rng.NormFloat64() * spread / math.Sqrt(float64(k)))
	}
	out := make(datasets.Rows, rows)
	terms := make([]models.Term, rows*k)
	for i := range out {
		x := terms[i*k : (i+1)*k : (i+1)*k]
		z := 0.0
		for j := range x {
			x[j] = models.Term{Index: int32(math.Pow(float64(n+1), rng.Float64())) - 1, Value: 1}
			z += float64(truth.Table[x[j].Index])
		}
		y := 0.0
		if rng.Float64() < Logistic(z) {
			y = 1
		}
		out[i] = datasets.Sample{X: x, Y: y, Weight: 1, Episode: uint64(i)}
	}
	return out, truth
}

// LogisticRows draws results (1, 1/2 or 0) whose mean is logistic(0.3 + w.x).
func LogisticRows(rng *rand.Rand, rows int, w []float64) datasets.Rows {
	var out datasets.Rows
	for i := range rows {
		x := make([]float64, len(w))
		z := 0.3
		for j := range x {
			x[j] = float64(float32(rng.NormFloat64()))
			z += w[j] * x[j]
		}
		y := 0.0
		for range 2 {
			if rng.Float64() < Logistic(z) {
				y += 0.5
			}
		}
		out = append(out, datasets.Sample{X: Vector(x...), Y: y, Weight: 1, Episode: uint64(i / 4)})
	}
	return out
}

// Logistic returns 1/(1+exp(-x)).
func Logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Stored returns the rows in an in-memory store. If tapered is set, the store contains terms and
// phases.
func Stored(rows datasets.Rows, tapered bool) *datasets.Store {
	s := &datasets.Store{Limit: datasets.Unlimited, Tapered: tapered}
	for i := range rows {
		s.Add(&rows[i])
	}
	s.Seal()
	return s
}
