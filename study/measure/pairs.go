// Package measure plays the pairs of games of which the study's losses consist.
package measure

import (
	"context"
	"fmt"

	"plyfit/arena"
	"plyfit/arena/stats"
)

// Pairs holds the half points of one side in each pair of games: 0 (both lost) to 4 (both won).
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

// Play plays n pairs of games from one opening each, seats swapped, with the same luck. A pair is
// a separate match, so it depends only on its seed.
func Play(ctx context.Context, c arena.Config, n int, seed func(pair int) uint64) (Pairs, error) {
	out := make(Pairs, n)
	c.Pairs, c.Measure = 1, arena.Wins
	for i := range out {
		c.Seed = seed(i)
		r, err := arena.Run(ctx, c)
		if err != nil {
			return nil, err
		}
		if r.FaultsA.All()+r.FaultsB.All() > 0 {
			return nil, fmt.Errorf("%s: faults in a match (%v, %v)", c.Game.Spec, r.FaultsA, r.FaultsB)
		}
		out[i] = r.Wins*2 + r.Draws
	}
	return out, nil
}
