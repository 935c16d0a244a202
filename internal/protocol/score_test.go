package protocol

import "testing"

// TestScores checks that Centipawns inverts Utility, and that proven values have the largest number
// of centipawns.
func TestScores(t *testing.T) {
	for cp := -2000; cp <= 2000; cp += 7 {
		for _, bounds := range [][2]float64{{-1, 1}, {-64, 64}, {0, 3}} {
			if got := Centipawns(Utility(cp, bounds[0], bounds[1]), bounds[0], bounds[1]); got != cp {
				t.Fatalf("%d between %v became %d", cp, bounds, got)
			}
		}
	}
	for value, want := range map[float64]int{0: 0, 1: mostCentipawns, -1: -mostCentipawns, 9.0 / 11: 400} {
		if got := Centipawns(value, -1, 1); got != want {
			t.Errorf("%v is %d, want %d", value, got, want)
		}
	}
}
