package study

import "plyfit/arena/stats"

// Pairs are what one side got in each pair of games, in half points: 0 (both lost) to 4 (both won).
type Pairs []int

// Tally counts them.
func (p Pairs) Tally() (t stats.Pentanomial) {
	for _, halves := range p {
		t[halves]++
	}
	return t
}

// Losses are shares of the points lost against an equal: .5 where both games were, -.5 if both won.
func (p Pairs) Losses() []float64 {
	out := make([]float64, len(p))
	for i, halves := range p {
		out[i] = 0.5 - float64(float64(halves)/4)
	}
	return out
}
