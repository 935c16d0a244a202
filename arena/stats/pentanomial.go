package stats

import (
	"fmt"
	"math"
)

// Pentanomial counts pairs of games by the first player's points: 0, 1/2, 1, 3/2 or 2. These
// correspond to the pair scores 0, 1/4, 1/2, 3/4 and 1 (LL, LD, DD+WL, WD, WW). Pairs are used as
// independent observations because two games from the same opening are not independent. Counts can
// be fractions if repeated pairs have weights below 1.
type Pentanomial [5]float64

var pairScores = [5]float64{0, 0.25, 0.5, 0.75, 1}

// Add counts a pair. points is the first player's points, a multiple of 1/2 from 0 to 2.
func (c *Pentanomial) Add(points float64) {
	i := int(math.Round(2 * points))
	if i < 0 || i > 4 || float64(i) != 2*points {
		panic(fmt.Sprintf("stats: a pair with %v points", points))
	}
	c[i]++
}

// Pairs returns the number of pairs.
func (c Pentanomial) Pairs() float64 {
	n := 0.0
	for _, x := range c {
		n += x
	}
	return n
}

// Mean returns the mean pair score, in [0, 1], or 1/2 if there are no pairs.
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

// Deviation returns the standard deviation of the pair score, with the number of pairs in the
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

// Scaled returns the counts multiplied by a factor.
func (c Pentanomial) Scaled(by float64) Pentanomial {
	for i := range c {
		c[i] *= by
	}
	return c
}

// shares returns the relative frequencies p^ of the five outcomes, and the number of pairs. Counts
// of 0 are replaced by 1e-3 so that no likelihood is 0.
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

// NormalisedElo returns the difference in strength in units of the games' noise: (mu - 1/2)/(sqrt2
// sigma) 800/ln 10, where sigma is the standard deviation of the pair score. Openings and draw
// rates affect it much less than Elo (Van den Bergh, "Normalized Elo"). If all pairs have the same
// score, it is infinite, or 0 if that score is 1/2.
func (c Pentanomial) NormalisedElo() float64 {
	mean, sd := c.Mean(), c.Deviation()
	if mean == 0.5 {
		return 0
	}
	return (mean - 0.5) / (math.Sqrt2 * sd) * eloUnit
}

// OneMore widens the interval of a mean for a sample in which only a few pairs differ from even. It
// adds the effect of one more pair that differs by a typical amount (Agresti and Min, Statistics in
// Medicine 24, 2005). The rule of three with the largest possible loss would be too conservative:
// in solved games, 98 to 100% of its 95% intervals contained the true loss. If all pairs are equal,
// the interval already allows for outcomes that did not occur.
func (c Pentanomial) OneMore(mean Estimate) Estimate {
	if !mean.Bounded || mean.Alike {
		return mean
	}
	differ, square := 0.0, 0.0
	for k, n := range c {
		if far := (float64(k) - 2) / float64(len(c)-1); far != 0 { // two half points are even
			differ += n
			square += float64(n * far * far)
		}
	}
	all := c.Pairs()
	return mean.Widened(float64(TQuantile95(all-1)*math.Sqrt(square/differ)) / all)
}
