package study

import (
	"math"
	"math/rand/v2"
	"slices"

	"plyfit/game"
	"plyfit/internal/elementary"
)

// resamples is the number of bootstrap samples behind an interval: the ends of
// a 95% interval then vary by a few percent of its width.
const resamples = 2000

// NewRand is a source of random numbers that follows from the seeds alone.
func NewRand(seeds ...uint64) *rand.Rand {
	h := game.Seed(seeds...)
	return rand.New(rand.NewPCG(h, game.Mix(h)))
}

// Bootstrap is a statistic of n observations drawn together, with its 95% interval by percentiles
// (Efron and Tibshirani 1993, chapter 13): statistic gets how often each of them counts.
func Bootstrap(n int, seed uint64, statistic func(weight []float64) float64) Interval {
	weight := slices.Repeat([]float64{1}, n)
	i := Interval{Value: statistic(weight)}
	if n < 2 {
		i.Low, i.High = math.Inf(-1), math.Inf(1)
		return i
	}
	random := NewRand(seed, uint64(n))
	values := make([]float64, resamples)
	for k := range values {
		clear(weight)
		for range n {
			weight[random.IntN(n)]++
		}
		values[k] = statistic(weight)
	}
	if i.Low, i.High = percentiles(values); i.Exact() {
		half := ruleOfThree(n)
		i.Low, i.High = i.Value-half, i.Value+half
	}
	return i
}

// percentiles are the ends of the middle 95% of the values, which are sorted.
func percentiles(values []float64) (low, high float64) {
	slices.Sort(values)
	at := func(q float64) float64 {
		x := float64(q * float64(len(values)-1))
		k := int(x)
		if k+1 >= len(values) {
			return values[len(values)-1]
		}
		return values[k] + float64((x-float64(k))*(values[k+1]-values[k]))
	}
	return at(0.025), at(0.975)
}

// MeanOf is the mean of independent observations.
func MeanOf(x []float64, seed uint64) Interval {
	return RatioOf(x, nil, seed)
}

// RatioOf is sum x / sum y over observations of both (y nil: their number), a
// share that is not the mean of shares; 0 of samples in which there is nothing to divide by.
func RatioOf(x, y []float64, seed uint64) Interval {
	return Bootstrap(len(x), seed, func(weight []float64) float64 {
		var a, b float64
		for i, w := range weight {
			a += float64(w * x[i])
			if y == nil {
				b += w
			} else {
				b += float64(w * y[i])
			}
		}
		if b == 0 {
			return 0
		}
		return a / b
	})
}

// Mean is the mean of x.
func Mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

func Round(x float64, places int) float64 {
	unit := elementary.Pow(10, float64(places))
	return math.Round(x*unit) / unit
}
