package study

import (
	"math"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/internal/elementary"
)

// NewRand is a source of random numbers that follows from the seeds alone.
func NewRand(seeds ...uint64) *rand.Rand {
	h := game.Seed(seeds...)
	return rand.New(rand.NewPCG(h, game.Mix(h)))
}

// Round rounds x to a number of decimal places.
func Round(x float64, places int) float64 {
	unit := elementary.Pow(10, float64(places))
	return math.Round(x*unit) / unit
}
