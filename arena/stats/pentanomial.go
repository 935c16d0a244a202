package stats

import (
	"fmt"
	"math"
)

// Pentanomial counts pairs of games by the first player's points: 0, 1/2, 1, 3/2 or 2, which are
// the pair scores 0, 1/4, 1/2, 3/4 and 1 (LL, LD, DD+WL, WD, WW). Pairs are the independent
// observations, since two games from one opening are not. Counts are fractions if repeated pairs
// count less than one each.
type Pentanomial [5]float64

var pairScores = [5]float64{0, 0.25, 0.5, 0.75, 1}

// Add counts one pair with the first player's points, a multiple of one half from 0 to 2.
func (c *Pentanomial) Add(points float64) {
	i := int(math.Round(2 * points))
	if i < 0 || i > 4 || float64(i) != 2*points {
		panic(fmt.Sprintf("stats: a pair with %v points", points))
	}
	c[i]++
}

// Pairs is the number of pairs counted.
func (c Pentanomial) Pairs() float64 {
	n := 0.0
	for _, x := range c {
		n += x
	}
	return n
}

// Mean is the mean pair score, in [0, 1]; 1/2 where there are no pairs.
func (c Pentanomial) Mean() float64 {
	n := c.Pairs()
	if n == 0 {
		return 0.5
	}
	mean := 0.0
	for i, x := range c {
		mean += float64(x * pairScores[i])
	}
	return mean / n
}

// Deviation is the standard deviation of a pair's score, with the number of pairs in the
// denominator.
func (c Pentanomial) Deviation() float64 {
	n, mean, v := c.Pairs(), c.Mean(), 0.0
	if n == 0 {
		return 0
	}
	for i, x := range c {
		v += float64(x * (pairScores[i] - mean) * (pairScores[i] - mean))
	}
	return math.Sqrt(v / n)
}

// Scaled are the counts multiplied by a number.
func (c Pentanomial) Scaled(by float64) Pentanomial {
	for i := range c {
		c[i] *= by
	}
	return c
}

// shares are the frequencies p^ of the five outcomes, zero counts as 1e-3 so that no likelihood is
// zero, and the number of pairs.
func (c Pentanomial) shares() (p [5]float64, n float64) {
	for i, x := range c {
		if x == 0 {
			x = 1e-3
		}
		p[i] = x
		n += x
	}
	for i := range p {
		p[i] /= n
	}
	return p, n
}

// NormalisedElo is the difference of strength in units of the games' noise, (mu - 1/2)/(sqrt2
// sigma) 800/ln 10 with sigma the deviation of a pair's score: openings and draws that change Elo
// hardly change it (Van den Bergh, "Normalized Elo"). If all pairs ended alike it is infinite, or
// 0 for even.
func (c Pentanomial) NormalisedElo() float64 {
	mean, sd := c.Mean(), c.Deviation()
	if mean == 0.5 {
		return 0
	}
	return (mean - 0.5) / (math.Sqrt2 * sd) * eloUnit
}

// OneMore widens the interval of a mean of pairs, few of which may differ, as if one more did, by as
// much as the others (Agresti and Min, Statistics in Medicine 24, 2005). The rule of three in its place,
// by the most that a pair can lose, is too wide: 98 to 100% of its 95% intervals held the losses of
// solved games. If all pairs are alike, the interval already has what they may have missed.
func (c Pentanomial) OneMore(mean Estimate) Estimate {
	if !mean.Bounded || mean.Alike {
		return mean
	}
	differ, square := 0.0, 0.0
	for k, n := range c {
		if far := (float64(k) - 2) / float64(len(c)-1); far != 0 { // 2 half points are even
			differ += n
			square += float64(n * far * far)
		}
	}
	all := c.Pairs()
	return mean.Widened(float64(TQuantile95(all-1)*math.Sqrt(square/differ)) / all)
}
