package study

import (
	"math"

	"plyfit/arena/stats"
	"plyfit/internal/elementary"
	"plyfit/internal/list"
)

// Nested are observations of one figure by unit of the highest random effect, a row a unit (a base
// evaluation, a training seed, a seed of noise), in it one number an opening that only this unit met.
// How much units differ decides what holds for others, however many openings each has.
type Nested [][]float64

// Means are those of the units.
func (x Nested) Means() []float64 {
	return list.Map(x, Mean)
}

// Interval is the mean of the units' means with its 95% interval by Student's t with units-1 degrees
// of freedom. Of one unit the observations are the units, and the interval holds for it alone.
func (x Nested) Interval() Interval { return TInterval(x.Units()) }

// Units are the independent figures.
func (x Nested) Units() []float64 {
	if len(x) == 1 {
		return x[0]
	}
	return x.Means()
}

// TInterval is the mean of independent figures with its 95% interval by Student's t; of fewer than
// two nothing is known. Figures that are all alike are not exact for that: see [ruleOfThree].
func TInterval(x []float64) Interval {
	mean, se := meanAndError(x)
	if len(x) < 2 {
		return Interval{mean, math.Inf(-1), math.Inf(1)}
	}
	half := float64(stats.TQuantile95(float64(len(x)-1)) * se)
	if se == 0 {
		half = ruleOfThree(len(x))
	}
	return Interval{mean, mean - half, mean + half}
}

// ruleOfThree is how far the mean may be from n figures that are all alike, with 95% confidence: of
// others there are at most 3/n (Hanley and Lippman-Hand 1983), each a point away at most.
func ruleOfThree(n int) float64 { return min(1, 3/float64(n)) }

func meanAndError(x []float64) (mean, se float64) {
	mean = Mean(x)
	sum := 0.0
	for _, v := range x {
		sum += float64((v - mean) * (v - mean))
	}
	n := float64(len(x))
	return mean, math.Sqrt(sum / (n - 1) / n)
}

// TTest is the probability of a mean at least so far from the level, on the side that the claim
// names (Above, Below) or on either (Equals), were the level true. Fewer than two figures say
// nothing: 1. Without any scatter it is how likely n figures are to be all alike where enough
// others are about to make up the distance, each of them a point away at most.
func TTest(x []float64, claim Claim, level float64) float64 {
	if len(x) < 2 {
		return 1
	}
	mean, se := meanAndError(x)
	if claim == Below {
		mean, level = -mean, -level
	}
	if se == 0 {
		p := elementary.Pow(1-math.Min(1, math.Abs(mean-level)), float64(len(x)))
		switch {
		case claim == equals:
			return min(1, 2*p)
		case mean < level:
			return 1
		}
		return p
	}
	t, freedom := (mean-level)/se, float64(len(x)-1)
	if claim == equals {
		return min(1, 2*stats.Above(math.Abs(t), freedom))
	}
	return stats.Above(t, freedom)
}

// ratioOfMeans is the mean of a numerator over that of a denominator, such as what an error costs
// expectimax over what it costs minimax, unit by unit, with its 95% interval by Fieller's theorem
// (1954) and Student's t of units-1 degrees of freedom: the levels r at which the mean of
// numerator - r*denominator may be 0. Of one unit the observations are the units. Where the
// denominator is not clearly above 0 there is no ratio: Low and High are infinite.
func ratioOfMeans(numerator, denominator Nested) Interval {
	num, den := numerator.Units(), denominator.Units()
	if len(num) != len(den) {
		panic("study: a ratio of other units")
	}
	n, a, b := len(num), Mean(num), Mean(den)
	out := Interval{Value: a / b, Low: math.Inf(-1), High: math.Inf(1)}
	if n < 2 || !(TInterval(den).Low > 0) {
		return out
	}
	var aa, bb, ab float64
	for i := range num {
		x, y := num[i]-a, den[i]-b
		aa, bb, ab = aa+float64(x*x), bb+float64(y*y), ab+float64(x*y)
	}
	t := stats.TQuantile95(float64(n - 1))
	scale := t * t / float64(n-1) / float64(n)
	p, q, r := float64(b*b)-float64(scale*bb), float64(a*b)-float64(scale*ab), float64(a*a)-float64(scale*aa)
	// p is above 0, since the denominator's own interval is.
	root := math.Sqrt(math.Max(0, float64(q*q)-float64(p*r)))
	if out.Low, out.High = (q-root)/p, (q+root)/p; out.Exact() {
		half := ruleOfThree(n)
		out.Low, out.High = out.Low-half, out.High+half
	}
	return out
}
