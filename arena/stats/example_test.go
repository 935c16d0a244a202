package stats_test

import (
	"fmt"

	"plyfit/arena/stats"
)

// This example applies a test to the pair counts of a match.
func ExampleSPRT_LLR() {
	counts := stats.Pentanomial{57, 265, 545, 354, 87}
	test := stats.SPRT{Low: 0, High: 5}
	lower, upper := test.Bounds()
	fmt.Printf("Elo %.3f, LLR %.4f in [%.4f, %.4f]\n", stats.Elo(counts.Mean()), test.LLR(counts), lower, upper)
	// Output: Elo 19.810, LLR 2.8973 in [-2.9444, 2.9444]
}
