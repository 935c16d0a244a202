package protocol

import (
	"math"

	"plyfit/internal/elementary"
)

// Engines tell values in hundredths of a pawn, which other games do not have. Here a hundredth is
// one point on the scale of Elo: a player who expects the share e of a game's points stands at
//
//	cp = 400 * log10(e / (1 - e))
//
// which in chess is near enough to what pawns are worth, and means the same in every game.

// mostCentipawns is the largest estimate; proven values lie beyond.
const mostCentipawns = 9999

// Centipawns is a value between lo and hi in hundredths.
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

// Utility is the value between lo and hi that Centipawns tells as cp.
func Utility(cp int, lo, hi float64) float64 {
	return lo + (hi-lo)/(1+elementary.Pow(10, -float64(cp)/400))
}
