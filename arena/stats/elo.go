package stats

import (
	"math"

	"plyfit/internal/elementary"
)

// eloUnit turns a t-value per game into normalised Elo: 800/ln 10.
const eloUnit = 800 / math.Ln10

// Elo is the rating difference that explains the mean score s in (0, 1): 400 log10(s/(1-s));
// infinite at 0 and 1.
func Elo(s float64) float64 { return 400 * elementary.Log10(s/(1-s)) }

// score is the mean score expected from a rating difference: 1/(1 + 10^(-elo/400)).
func score(elo float64) float64 { return 1 / (1 + elementary.Pow(10, -elo/400)) }

// pairT is a normalised Elo as a pair's mean score minus 1/2, in standard deviations of a pair:
// sqrt2 nElo ln 10/800.
func pairT(nElo float64) float64 { return math.Sqrt2 * nElo / eloUnit }
