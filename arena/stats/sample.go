package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"plyfit/internal/elementary"
	"plyfit/internal/list"
)

// Sample holds observations of one figure by unit of the highest random effect (a base evaluation,
// a training seed, a draw of an error), a row per unit. The spread of the units decides what holds
// for other units, no matter how many observations each has.
type Sample struct {
	Rows [][]float64
	// Exact means that nothing was sampled: all positions were counted, or a theorem gives the
	// figure. Equal observations alone do not make a sample exact.
	Exact bool
}

// SampleOf is the sample of independent observations.
func SampleOf(x []float64) Sample { return Sample{Rows: [][]float64{x}} }

// Units returns the independent figures: the means of the rows. The observations of a single row
// are the units themselves, and what follows holds for that row alone.
func (s Sample) Units() []float64 {
	if len(s.Rows) == 1 {
		return s.Rows[0]
	}
	out := make([]float64, len(s.Rows))
	for i, row := range s.Rows {
		out[i] = Mean(row)
	}
	return out
}

// Estimate is the mean of the units with its interval by Student's t, or by the rule of three if
// they are equal. A single unit has no interval.
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

// ruleOfThree is the most that a mean may differ from n equal observations, with 95% confidence:
// the others are at most 3/n of all (Hanley and Lippman-Hand 1983), each at most 1 away.
func ruleOfThree(n int) float64 { return min(1, 3/float64(n)) }

// Less returns the observations of s less a multiple of the observations of o, one by one.
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

// Test returns the p-values of the claims that the mean lies above and below the level, by one-sided
// t-tests; both are 1 for fewer than two units. The p-value of n equal units is the probability of
// drawing n of them if the others, each at most 1 away, make up the distance to the level.
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

// Over is the mean of s over the mean of o, unit by unit, with its interval by Fieller's theorem
// (1954) and Student's t: the levels r at which the mean of s - r*o may be 0. It is unknown unless
// the interval of o lies above 0.
func (s Sample) Over(o Sample) Estimate {
	num, den := s.Units(), o.Units()
	n, a, b := len(num), Mean(num), Mean(den)
	switch {
	case !o.Estimate().Above(0):
		return Estimate{Lacks: "the denominator may be 0"}
	case o.Exact:
		return s.Estimate().Map(1/b, 0)
	case n != len(den):
		panic("stats: a ratio of samples with different units")
	}
	var aa, bb, ab float64
	for i := range num {
		x, y := num[i]-a, den[i]-b
		aa, bb, ab = aa+float64(x*x), bb+float64(y*y), ab+float64(x*y)
	}
	t := TQuantile95(float64(n - 1))
	scale := t * t / float64(n-1) / float64(n)
	p, q, r := float64(b*b)-float64(scale*bb), float64(a*b)-float64(scale*ab), float64(a*a)-float64(scale*aa)
	// p is above 0, since the denominator's own interval is.
	root := math.Sqrt(math.Max(0, float64(q*q)-float64(p*r)))
	if root == 0 {
		return Around(a/b, ruleOfThree(n))
	}
	return Estimate{Value: a / b, Known: true, Low: (q - root) / p, High: (q + root) / p, Bounded: true}
}

// Ratio is the mean of a over the mean of b with its interval by linearisation (Cochran, Sampling
// Techniques, 1977, section 6.3), for means of b far from 0; [Sample.Over] serves the others.
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
	e.Value = 0 // but for rounding
	return e.Map(1, r)
}

// FewDiffer widens share, the mean of gains over a mean, by what few observations may have missed: by
// the rule of three another kind of observation may come three times in as many, and gain or lose as much
// as the worst of losses. Ten gains other than 0 show in their scatter how far others may differ.
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

// resamples is the number of bootstrap samples behind an interval. The ends of the interval then
// vary by a few percent of its width.
const resamples = 2000

// Bootstrap is a statistic of n observations drawn together, with its interval by percentiles (Efron
// and Tibshirani 1993, chapter 13). The statistic gets the number of times that each counts.
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

// BootstrapRatio is the sum of x over the sum of y, and over the number of observations if y is nil.
// It is 0 in samples whose sum of y is 0.
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

// BootstrapDifference is the sum of x over the sum of y less the same of an independent sample, other
// over of. It is 0 in samples in which the sum of y or of is 0.
func BootstrapDifference(x, y, other, of []float64, random *rand.Rand) Estimate {
	n := len(other)
	over, below := slices.Concat(other, x), slices.Concat(of, y)
	return Bootstrap(len(over), random, func(weight []float64) float64 {
		var a, b [2]float64 // of the other sample, and of the first
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

// momentsOf gathers x. The mean is rounded as a sum, so that the mean of halves and quarters stays
// exact.
func momentsOf(x []float64) (s Moments) {
	for _, v := range x {
		s.Add(v)
	}
	if len(x) > 0 {
		s.mean = Mean(x)
	}
	return s
}

// Holm adjusts the p-values of a family so that at most 5% of families without effects have one
// below .05 (Holm 1979): the smallest times m, the next times m-1, never less than the one before.
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
