package protocol

import (
	"math"

	"plyfit/internal/elementary"
)

// Engines report values in centipawns, which only exist in chess. Here, a centipawn is defined as
// one point on the Elo scale. A player with the expected share e of a game's points has the value
//
//	cp = 400 * log10(e / (1 - e))
//
// In chess, this is close to the usual value of a pawn. In all other games, it has the same
// meaning.

// mostCentipawns is the largest number of centipawns. It also stands for proven values.
const mostCentipawns = 9999

// Centipawns converts a value between lo and hi to centipawns.
func Centipawns(value, lo, hi float64) int {
	e := (value - lo) / (hi - lo)
	cp := 400 * elementary.Log10(e/(1-e))
	switch {
	case cp >= mostCentipawns:
		return mostCentipawns
	case cp <= -mostCentipawns:
		return -mostCentipawns
	case math.IsNaN(cp):
		return 0
	}
	return int(math.Round(cp))
}

// Utility is the inverse of Centipawns. It returns the value between lo and hi that corresponds to
// cp.
func Utility(cp int, lo, hi float64) float64 {
	return lo + (hi-lo)/(1+elementary.Pow(10, -float64(cp)/400))
}
