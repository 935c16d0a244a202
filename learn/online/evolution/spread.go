package evolution

import (
	"cmp"
	"math"

	"plyfit/features"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
)

// Constants of the sample of random play that weights are scaled by.
const (
	sampleEpisodes  = 100
	samplePositions = 20000 // after which no further episode begins
	sampleFloor     = 0.1   // the least spread, as a share of the largest value seen
)

// axes are what is searched: the places of free weights, and how large a step of 1 is in each.
type axes struct {
	free  []int // places of weights, the bias being the last
	scale []float64
}

// newAxes measures the weights that t leaves free. A step of 1 along all axes changes the sum of a
// usual position by about one unit: what the outcomes of random play spread by, or in games with a
// link what the link spreads over. The bias is free in games of one player alone, where values are
// compared with a score that is certain.
func newAxes(t *online.Task) *axes {
	x, frozen := &axes{}, t.FrozenPlaces()
	for i, keeps := range frozen {
		if !keeps && (i < t.Model.Len() || t.Game.Base().Players == 1) {
			x.free = append(x.free, i)
		}
	}
	spreads, unit := sample(t)
	unit /= math.Sqrt(float64(len(x.free)))
	for _, i := range x.free {
		x.scale = append(x.scale, unit/spreads[i])
	}
	return x
}

// sample plays at random. spreads are the standard deviations of the features over the positions of
// players, 1 for the bias and for what never varied; unit is that of the outcomes, or the link's.
func sample(t *online.Task) (spreads []float64, unit float64) {
	n := t.Model.Len()
	sum, squares, largest := make([]float64, n), make([]float64, n), make([]float64, n)
	var outcomes, outcomes2, ended, positions float64
	var x models.Vector
	zero := search.Zero(t.Game)
	for e := 0; e < sampleEpisodes && positions < samplePositions; e++ {
		dice := &play.Dice{Random: t.RandomAt(-1, e)}
		g := online.NewGame(t)
		g.Luck = dice
		for g.Start(dice.Random); g.Next(); g.Play(dice.Uniform(g.State)) {
			x = features.ExtractFirst(t.Set, game.Base(g.State), x[:0])
			positions++
			for _, f := range x {
				v := float64(f.Value)
				sum[f.Index] += v
				squares[f.Index] += float64(v * v)
				largest[f.Index] = max(largest[f.Index], math.Abs(v))
			}
		}
		u := utility(g, zero)
		outcomes += u
		outcomes2 += float64(u * u)
		ended++
	}
	spreads = make([]float64, n+1)
	spreads[n] = 1
	for i := range n {
		spreads[i] = cmp.Or(max(deviation(sum[i], squares[i], positions), sampleFloor*largest[i]), 1)
	}
	if scale, linked := t.Model.Link.TanhScale(); linked {
		return spreads, 1 / scale
	}
	if unit = deviation(outcomes, outcomes2, ended); unit == 0 {
		unit = 1
	}
	return spreads, unit
}

func deviation(sum, squares, n float64) float64 {
	mean := sum / n
	return math.Sqrt(max(0, squares/n-float64(mean*mean)))
}

// utility is what player 0 got in an episode that is over; of one that was cut off what
// he has so far, in games without a score the middle.
func utility(g *online.Game, zero search.Evaluator) float64 {
	if g.Truncated() {
		return zero.Evaluate(game.Base(g.State), 0)
	}
	return game.Base(g.State).Utility(0)
}
