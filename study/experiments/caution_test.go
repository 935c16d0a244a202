package experiments

import (
	"math"
	"testing"

	"plyfit/study"
)

// Scores of two planners who had the same luck are compared game by game: the
// interval is that of the differences. Drawing the two apart, as before, would make
// it wide enough to hide a cost of one percent.
func TestCostIsPaired(t *testing.T) {
	random := study.NewRand(5)
	const games, cost = 2000, 0.01
	var clean, other []float64
	for range games {
		luck := 1000 * math.Exp(0.5*random.NormFloat64())
		clean = append(clean, luck)
		other = append(other, luck*(1-cost)+20*random.NormFloat64())
	}
	i := costOf(clean, other, 1)
	if i.Low <= 0 || i.High >= 2*cost || i.Low > cost || i.High < cost {
		t.Errorf("a cost of %v is told as %v", cost, i)
	}
}
