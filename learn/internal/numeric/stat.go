package numeric

import (
	"math"
	"slices"
)

// MeanAndDeviation returns the mean and the standard deviation with divisor n-1.
func MeanAndDeviation(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sd += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(sd / float64(len(x)-1))
}

// Rank returns the number of edges that are at most z. The edges must be ascending and distinct.
func Rank(edges []float64, z float64) int {
	i, found := slices.BinarySearch(edges, z)
	if found {
		i++
	}
	return i
}

// Dot returns the inner product, computed as four independent sums.
func Dot(x, y []float64) float64 {
	var a, b, c, d float64
	y = y[:len(x)]
	j := 0
	for ; j+4 <= len(x); j += 4 {
		a += float64(x[j] * y[j])
		b += float64(x[j+1] * y[j+1])
		c += float64(x[j+2] * y[j+2])
		d += float64(x[j+3] * y[j+3])
	}
	for ; j < len(x); j++ {
		a += float64(x[j] * y[j])
	}
	return (a + b) + (c + d)
}
