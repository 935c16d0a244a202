package numeric

import (
	"math"
	"slices"
)

// MeanAndDeviation are the mean and the standard deviation, the latter with n-1.
func MeanAndDeviation(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sd += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(sd / float64(len(x)-1))
}

// Rank is the number of edges that are at most z.
func Rank(edges []float64, z float64) int {
	i, found := slices.BinarySearch(edges, z)
	if found {
		i++
	}
	return i
}
