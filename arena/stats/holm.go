package stats

import (
	"cmp"

	"plyfit/internal/list"
)

// Holm adjusts the p-values of a family so that at most 5% of families without effects have one
// below .05 (Holm 1979): the smallest times m, the next times m-1, never less than the one before.
func Holm(p []float64) []float64 {
	order := list.Order(len(p), func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(p)-rank)*p[i]))
		out[i] = least
	}
	return out
}
