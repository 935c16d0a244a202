package learn

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"plyfit/datasets"
	"plyfit/models"
)

// rowsOf is samples from memory.
type rowsOf []datasets.Sample

func (r rowsOf) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		for i := range r {
			s := r[i]
			if !yield(&s, nil) {
				return
			}
		}
	}
}

type stepsOf []Transition

func (r stepsOf) All() iter.Seq2[*Transition, error] {
	return func(yield func(*Transition, error) bool) {
		for i := range r {
			s := r[i]
			if !yield(&s, nil) {
				return
			}
		}
	}
}

// modelOf is a model of n features f0, f1, ...
func modelOf(n int) *models.Linear {
	var blocks []models.Block
	for i := range n {
		blocks = append(blocks, models.Block{Name: fmt.Sprintf("f%d", i), Len: 1})
	}
	return models.New("none", "none/test", blocks)
}

// vectorOf is a row of dense values with the bias column.
func vectorOf(values ...float64) models.Vector {
	x := models.Vector{{Index: models.Bias, Value: 1}}
	for i, v := range values {
		if v != 0 {
			x = append(x, models.Term{Index: int32(i), Value: float32(v)})
		}
	}
	return x
}

// simulated is episodes of rows each: y = 1 + w.x + a shock an episode + noise,
// the features correlated within the episode as well.
func simulated(rng *rand.Rand, episodes, rows int, w []float64, shock, noise float64) rowsOf {
	var out rowsOf
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
			out = append(out, datasets.Sample{X: vectorOf(x...), Y: y, Weight: 1, Episode: uint64(e)})
		}
	}
	return out
}

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*math.Max(1, math.Abs(b)) }
