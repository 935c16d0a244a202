package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"plyfit/internal/elementary"
	"plyfit/internal/list"
)

// A Sample contains observations of a quantity, with one row per independent unit. Units are, for
// example, base evaluations, training seeds, or randomly drawn errors. How well the result
// generalises to other units depends on the variation between units, not on the number of
// observations per unit.
type Sample struct {
	Rows [][]float64
	// Exact means that there is no sampling error, because all positions were counted or a theorem
	// implies the value. Equal observations alone do not make a sample exact.
	Exact bool
}

// SampleOf returns a sample of independent observations.
func SampleOf(x []float64) Sample { return Sample{Rows: [][]float64{x}} }

// Units returns the independent observations, which are the means of the rows. If there is only one
// row, it returns the observations of that row, and conclusions apply to that row only.
func (s Sample) Units() []float64 {
	if len(s.Rows) == 1 {
		return s.Rows[0]
	}
	return list.Map(s.Rows, Mean)
}

// Estimate returns the mean of the units with its interval, which is based on Student's t, or on
// the rule of three if all units are equal. A single unit has no interval.
func (s Sample) Estimate() Estimate {
	m := momentsOf(s.Units())
	switch {
	case s.Exact:
		return Exactly(m.mean)
	case m.n < 2:
		return Estimate{Value: m.mean, Known: m.n == 1, Lacks: "fewer than two observations"}
	}
	return m.student(m.n, Span{Low: math.Inf(-1), High: math.Inf(1), Reach: 1})
}

// ruleOfThree returns the maximum difference between the true mean and n equal observations, with
// 95% confidence. At most a fraction 3/n of the population differs from these observations (Hanley
// and Lippman-Hand 1983), each member by at most 1.
func ruleOfThree(n int) float64 { return min(1, 3/float64(n)) }

// Less returns the sample of differences s - times*o, one per observation.
func (s Sample) Less(times float64, o Sample) Sample {
	out := Sample{make([][]float64, len(s.Rows)), s.Exact && o.Exact}
	for i, row := range s.Rows {
		out.Rows[i] = make([]float64, len(row))
		for j, x := range row {
			out.Rows[i][j] = x - float64(times*o.Rows[i][j])
		}
	}
	return out
}

// Test returns the p-values of two one-sided t-tests, for the claims that the mean is above and
// below the given level. Both p-values are 1 for fewer than two units. If all n units are equal,
// the p-value is the probability of drawing n such units from a population that has this level as
// its mean and that also contains different units, each at most 1 away.
func (s Sample) Test(level float64) (above, below float64) {
	m := momentsOf(s.Units())
	if m.n < 2 {
		return 1, 1
	}
	far, n := m.mean-level, float64(m.n)
	if sd := m.Deviation(); sd > 1e-12*math.Abs(m.mean) {
		t := far / (sd / math.Sqrt(n))
		return Above(t, n-1), Above(-t, n-1)
	}
	alike := func(far float64) float64 { return elementary.Pow(1-min(1, max(0, far)), n) }
	return alike(far), alike(-far)
}

// Over returns the ratio of the means of s and o over the same units. Its interval, which is
// computed by Fieller's theorem (1954) with Student's t, contains all r for which s - r*o may have
// the mean 0. The ratio is unknown unless the whole interval of o lies above 0.
func (s Sample) Over(o Sample) Estimate {
	num, den := s.Units(), o.Units()
	n, a, b := len(num), Mean(num), Mean(den)
	switch {
	case !o.Estimate().Above(0):
		return Estimate{Lacks: "the denominator may be 0"}
	case o.Exact:
		return s.Estimate().Map(1/b, 0)
	case n != len(den):
		panic("stats: the samples of the ratio have different units")
	}
	var aa, bb, ab float64
	for i := range num {
		x, y := num[i]-a, den[i]-b
		aa, bb, ab = aa+float64(x*x), bb+float64(y*y), ab+float64(x*y)
	}
	t := TQuantile95(float64(n - 1))
	scale := t * t / float64(n-1) / float64(n)
	p, q, r := float64(b*b)-float64(scale*bb), float64(a*b)-float64(scale*ab), float64(a*a)-float64(scale*aa)
	// p is positive because the interval of the denominator does not contain 0.
	root := math.Sqrt(math.Max(0, float64(q*q)-float64(p*r)))
	if root == 0 {
		return Around(a/b, ruleOfThree(n))
	}
	return Estimate{Value: a / b, Known: true, Low: (q - root) / p, High: (q + root) / p, Bounded: true}
}

// Ratio returns the ratio of the means of a and b, with an interval computed by linearisation
// (Cochran, Sampling Techniques, 1977, section 6.3). Use [Sample.Over] if the mean of b may be
// close to 0.
func Ratio(a, b []float64) Estimate {
	below := Mean(b)
	if !(math.Abs(below) > 0) {
		return Estimate{Lacks: "the denominator is 0"}
	}
	r := Mean(a) / below
	left := make([]float64, len(a))
	for i := range a {
		left[i] = (a[i] - float64(r*b[i])) / below
	}
	e := MeanOf(left)
	e.Value = 0 // zero except for rounding
	return e.Map(1, r)
}

// FewDiffer widens the interval of share, which is the mean of the gains divided by over, if only a
// few of the gains differ from 0. By the rule of three, up to three more observations may differ in
// a sample of this size, each by as much as the largest of the losses. If at least ten gains differ
// from 0, the interval already reflects their variation, and FewDiffer returns share unchanged.
func FewDiffer(share Estimate, gains, losses []float64, over float64) Estimate {
	differ, worst := 0, 0.0
	for i := range gains {
		if gains[i] != 0 {
			differ++
		}
		worst = math.Max(worst, math.Abs(losses[i]))
	}
	if differ >= 10 || over == 0 {
		return share
	}
	return share.Widened(3 / float64(len(gains)) * worst / over)
}

// resamples is the number of bootstrap samples per interval. With this number, the ends of an
// interval vary by a few percent of its width.
const resamples = 2000

// Bootstrap returns a statistic of n observations with its percentile interval (Efron and
// Tibshirani 1993, chapter 13). The callback statistic receives the weight of each observation,
// which is the number of times that it was drawn.
func Bootstrap(n int, random *rand.Rand, statistic func(weight []float64) float64) Estimate {
	weight := slices.Repeat([]float64{1}, n)
	value := statistic(weight)
	if n < 2 {
		return Estimate{Value: value, Known: n == 1, Lacks: "fewer than two observations"}
	}
	values := make([]float64, resamples)
	for k := range values {
		clear(weight)
		for range n {
			weight[random.IntN(n)]++
		}
		values[k] = statistic(weight)
	}
	slices.Sort(values)
	at := func(q float64) float64 {
		x := float64(q * (resamples - 1))
		k := int(x)
		return values[k] + float64((x-float64(k))*(values[k+1]-values[k]))
	}
	const tail = (1 - confidence) / 2
	e := Estimate{Value: value, Known: true, Low: at(tail), High: at(1 - tail), Bounded: true}
	if e.Exact() {
		e = Around(value, ruleOfThree(n))
	}
	return e
}

// BootstrapRatio returns the sum of x divided by the sum of y, or by the number of observations if
// y is nil. It is 0 for resamples in which the sum of y is 0.
func BootstrapRatio(x, y []float64, random *rand.Rand) Estimate {
	return Bootstrap(len(x), random, func(weight []float64) float64 {
		var a, b float64
		for i, w := range weight {
			a += float64(w * x[i])
			if y != nil {
				w = float64(w * y[i])
			}
			b += w
		}
		if b == 0 {
			return 0
		}
		return a / b
	})
}

// BootstrapDifference returns the difference between two ratios of sums. The first two parameters
// form the first ratio. The next two, which are an independent sample, form the second. The
// difference is 0 for resamples in which a denominator is 0.
func BootstrapDifference(x, y, other, of []float64, random *rand.Rand) Estimate {
	n := len(other)
	over, below := slices.Concat(other, x), slices.Concat(of, y)
	return Bootstrap(len(over), random, func(weight []float64) float64 {
		var a, b [2]float64 // index 0 is the other sample
		for i, w := range weight {
			side := min(1, i/n)
			a[side], b[side] = a[side]+float64(w*over[i]), b[side]+float64(w*below[i])
		}
		if b[0] == 0 || b[1] == 0 {
			return 0
		}
		return a[1]/b[1] - a[0]/b[0]
	})
}

// Mean returns the mean of x.
func Mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// momentsOf returns the moments of x. The mean is computed from the sum, which is exact for
// multiples of 1/4.
func momentsOf(x []float64) (s Moments) {
	for _, v := range x {
		s.Add(v)
	}
	if len(x) > 0 {
		s.mean = Mean(x)
	}
	return s
}

// Holm adjusts p-values for multiple comparisons (Holm 1979). If there are no true effects, the
// probability that any adjusted p-value is below .05 is at most 5%. The smallest p-value is
// multiplied by m, the next one by m-1, and so on; none becomes smaller than the one before.
func Holm(p []float64) []float64 {
	order := list.Order(len(p), func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(p)-rank)*p[i]))
		out[i] = least
	}
	return out
}
