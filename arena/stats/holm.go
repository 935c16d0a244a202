package stats

import (
	"cmp"
	"slices"
)

// Holm adjusts the p-values of a family so that one of them below .05 is wrong in
// at most 5% of families with nothing in them (Holm 1979): the smallest times m,
// the next times m-1, never less than one before it.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(p)-rank)*p[i]))
		out[i] = least
	}
	return out
}
