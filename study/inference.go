package study

import (
	"math"
	"slices"

	"plyfit/stats"
)

// Nested are observations of one figure by unit of the highest random effect: a
// row a unit (a base evaluation, a training seed, a seed of noise), in it one
// number an opening that only this unit met. What is to hold for other units is
// decided by how much the units differ, however many openings each of them has.
type Nested [][]float64

// Means are those of the units.
func (x Nested) Means() []float64 {
	out := make([]float64, len(x))
	for i, row := range x {
		out[i] = Mean(row)
	}
	return out
}

// Interval is the mean of the units' means with its 95% interval by Student's t
// with units-1 degrees of freedom. Of one unit the observations are the units:
// the interval then holds for that unit alone.
func (x Nested) Interval() Interval { return TInterval(x.Units()) }

// Units are the independent figures.
func (x Nested) Units() []float64 {
	if len(x) == 1 {
		return x[0]
	}
	return x.Means()
}

// TInterval is the mean of independent figures with its 95% interval by Student's
// t; of fewer than two nothing is known.
func TInterval(x []float64) Interval {
	mean, se := meanAndError(x)
	if len(x) < 2 {
		return Interval{mean, math.Inf(-1), math.Inf(1)}
	}
	t := stats.T95(float64(len(x) - 1))
	return Interval{mean, mean - float64(t*se), mean + float64(t*se)}
}

// meanAndError are the mean and its standard error.
func meanAndError(x []float64) (mean, se float64) {
	mean = Mean(x)
	sum := 0.0
	for _, v := range x {
		sum += float64((v - mean) * (v - mean))
	}
	n := float64(len(x))
	return mean, math.Sqrt(sum / (n - 1) / n)
}

// TTest is the probability of a mean at least so far from the level, on the side
// that the claim names (Above, Below) or on either (Equals), were the level true.
// Without any scatter it is 0 or 1. Fewer than two figures say nothing: 1.
func TTest(x []float64, claim Claim, level float64) float64 {
	if len(x) < 2 {
		return 1
	}
	mean, se := meanAndError(x)
	t := (mean - level) / se
	if se == 0 {
		t = math.Inf(1) * float64(sign(mean-level))
		if mean == level {
			t = 0
		}
	}
	freedom := float64(len(x) - 1)
	switch claim {
	case Above:
		return stats.Above(t, freedom)
	case Below:
		return stats.Above(-t, freedom)
	}
	return min(1, 2*stats.Above(math.Abs(t), freedom))
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// Equivalent is the greater p-value of two one-sided tests (Schuirmann 1987): that
// the mean lies above -margin, and below margin. A small one says that the effect
// is smaller than the smallest that is of interest.
func Equivalent(x []float64, margin float64) float64 {
	return max(TTest(x, Above, -margin), TTest(x, Below, margin))
}

// SmallestEffect is the smallest difference of losses that is of interest, as a
// share of the points.
const SmallestEffect = 0.02

// Equivalence is the claim that figures lie within the smallest effect of
// interest, by two one-sided t-tests.
func Equivalence(claim string, x []float64) Finding {
	i := TInterval(x)
	p := Equivalent(x, SmallestEffect)
	v := Finding{Claim: claim, Support: NotDecided, Figure: "difference of losses " + i.Format(4), P: p}
	switch {
	case p < 0.05:
		v.Support = Supported
	case i.Low > SmallestEffect:
		v.Support, v.P = Contradicted, 2*TTest(x, Above, SmallestEffect)
	case i.High < -SmallestEffect:
		v.Support, v.P = Contradicted, 2*TTest(x, Below, -SmallestEffect)
	}
	return v
}

// Holm adjusts the p-values of a family so that one of them below .05 is wrong in
// at most 5% of families with nothing in them (Holm 1979): the smallest times m,
// the next times m-1, never less than one before it.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sign(p[a] - p[b]) })
	out := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(p)-rank)*p[i]))
		out[i] = least
	}
	return out
}

// Ratio is sum/sum over units of a numerator and a denominator, such as a loss
// over what one ply is worth, with its 95% interval: a two-level bootstrap draws
// units and keeps what is in them (drawing within them, too, would count their
// openings' scatter twice: Davison and Hinkley 1997, section 3.8), and its
// standard error goes with Student's t of units-1 degrees of freedom. Of one unit
// observations are drawn. A denominator that is not clearly above 0 has no ratio:
// Low and High are infinite.
func Ratio(numerator, denominator Nested, seed uint64) Interval {
	num, den := numerator.Units(), denominator.Units()
	if len(num) != len(den) {
		panic("study: a ratio of other units")
	}
	n := len(num)
	out := Interval{Value: Mean(num) / Mean(den), Low: math.Inf(-1), High: math.Inf(1)}
	if n < 2 || TInterval(den).Low <= 0 {
		return out
	}
	random := NewRand(seed, uint64(n), 0x2a710)
	values := make([]float64, resamples)
	for k := range values {
		var a, b float64
		for range n {
			i := random.IntN(n)
			a, b = a+num[i], b+den[i]
		}
		values[k] = a / b
	}
	_, se := meanAndError(values)
	sd := se * math.Sqrt(float64(len(values))) * math.Sqrt(float64(n)/float64(n-1))
	if math.IsNaN(sd) || math.IsInf(sd, 0) { // some draws have a denominator of 0
		return out
	}
	t := stats.T95(float64(n - 1))
	out.Low, out.High = out.Value-float64(t*sd), out.Value+float64(t*sd)
	return out
}
