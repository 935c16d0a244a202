package stats

import (
	"fmt"
	"iter"
	"maps"
	"math"

	"plyfit/internal/text"
)

// An openingCount counts the pairs that start from one position.
type openingCount struct {
	pairs  int
	plain  int    // pairs that involve no luck
	games  uint64 // hash of the games of the first such pair
	varied bool   // whether two such pairs had different games
}

// OpeningCounts counts pairs by the position after the opening.
type OpeningCounts struct {
	number map[uint64]int // index of each opening, in the order of first occurrence
	count  []openingCount
	ofSize []int // ofSize[k] is the number of openings with k pairs
	pairs  int

	// unlike is the number of pairs. Pairs that share an opening and involve no luck are counted
	// only once if they all have the same moves.
	unlike int
}

// NewOpeningCounts returns empty counts.
func NewOpeningCounts() *OpeningCounts { return &OpeningCounts{number: map[uint64]int{}} }

// Add counts a pair, given an identifier of its opening, its number of chance moves, and a hash of
// its games. It returns the index of the opening and the number of earlier pairs with that opening.
func (o *OpeningCounts) Add(from uint64, luck int, games uint64) (number, before int) {
	number, seen := o.number[from]
	if !seen {
		number = len(o.count)
		o.number[from] = number
		o.count = append(o.count, openingCount{})
	}
	c := &o.count[number]
	before = c.pairs
	c.pairs++
	o.pairs++
	for len(o.ofSize) <= c.pairs {
		o.ofSize = append(o.ofSize, 0)
	}
	if before > 0 {
		o.ofSize[before]--
	}
	o.ofSize[c.pairs]++

	switch {
	case luck > 0 || c.varied:
		o.unlike++
	case c.plain == 0:
		c.games = games
		o.unlike++
	case c.games != games:
		c.varied = true
		o.unlike += c.plain // also count the pairs that were omitted until now
	}
	if luck == 0 {
		c.plain++
	}
	return number, before
}

// All yields the openings in no particular order.
func (o *OpeningCounts) All() iter.Seq[uint64] { return maps.Keys(o.number) }

// Len returns the number of openings.
func (o *OpeningCounts) Len() int { return len(o.count) }

// Unlike returns the number of pairs. Pairs that share an opening and involve no luck are counted
// only once if they all have the same moves.
func (o *OpeningCounts) Unlike() int { return o.unlike }

// Own reports whether all pairs have different openings.
func (o *OpeningCounts) Own() bool { return len(o.count) == o.pairs }

// Clustered contains the observations of a quantity, one per pair, grouped by opening. The sums are
// over differences from the first observation, so that equal observations cause no rounding errors.
type Clustered struct {
	Moments
	first  float64
	square float64   // sum of squares
	total  []float64 // sum by opening
	// Sums of the totals, and of their squares, over all openings with k pairs. They suffice for
	// the variance, so that adding a pair does not require a loop over all openings.
	totals, squares []float64
}

// Add adds the observation of a pair that has already been added to o. The parameters opening and
// before are the results of [OpeningCounts.Add].
func (c *Clustered) Add(x float64, o *OpeningCounts, opening, before int) {
	if c.n == 0 {
		c.first = x
	}
	c.Moments.Add(x)
	x -= c.first
	c.square += float64(x * x)
	for len(c.total) <= opening {
		c.total = append(c.total, 0)
	}
	for len(c.totals) <= before+1 {
		c.totals, c.squares = append(c.totals, 0), append(c.squares, 0)
	}
	t := c.total[opening]
	if before > 0 {
		c.totals[before] -= t
		c.squares[before] -= float64(t * t)
		if o.ofSize[before] == 0 { // leave no rounding error
			c.totals[before], c.squares[before] = 0, 0
		}
	}
	t += x
	c.total[opening] = t
	c.totals[before+1] += t
	c.squares[before+1] += float64(t * t)
}

// Spread is the standard error of a mean with its degrees of freedom.
type Spread struct {
	Units   int     // number of independent units: pairs, or openings if there are fewer
	Err     float64 // standard error of the mean; 0 if there is no variation
	Freedom float64 // at least 1
	// Effective is the number of pairs with different openings that would contain as much
	// information: n/(1 + (m-1) rho). Here m is the mean number of pairs with the same opening as a
	// given pair, and rho is the correlation between pairs with the same opening (Kish, Survey
	// Sampling, 1965, section 5.4).
	Effective float64
}

// Spread treats openings as random effects, that is, as a sample of the population whose mean is
// estimated. Let T_g be the total of the n_g observations from opening g, f_g = n_g/n and S_g = T_g -
// n_g x̄. The variance of the mean is
//
//	V = 1/n² sum c_g S_g²,   c_g = v_g/(v_g(1-2 f_g) + f_g² sum v)
//
// where v_g = n_g(1 + (n_g-1) rho) is proportional to Var T_g, so that V is unbiased if
// observations with the same opening have the correlation rho. This is the estimator CR2 of Bell
// and McCaffrey (Survey Methodology 28, 2002), which assumes rho = 0 and therefore c_g = 1/(1-f_g),
// extended to the working model of Imbens and Kolesár (Review of Economics and Statistics 98,
// 2016). rho is estimated by the analysis of variance. The degrees of freedom are computed in that
// model by Satterthwaite's method: 2 E[V]²/Var V. If all openings have equally many pairs, this is
// the number of openings minus one.
//
// Repeating an opening with the same results adds no information. If each pair has its own opening,
// V is the usual variance of the mean with n-1 degrees of freedom.
func (c *Clustered) Spread(o *OpeningCounts) Spread {
	n, groups := float64(c.n), len(o.count)
	sd := c.Deviation()
	if o.Own() {
		return c.SpreadOf(c.n)
	}
	out := Spread{Units: groups, Freedom: math.Max(1, float64(groups-1)), Effective: float64(groups)}
	if groups < 2 || !(sd > 1e-12*math.Abs(c.mean)) {
		return out
	}
	mean := c.mean - c.first
	// Sums of squares between openings and within openings.
	weighted, sizes := 0.0, 0.0 // sum T_g²/n_g and sum n_g²
	for k := 1; k < len(o.ofSize); k++ {
		if m := float64(o.ofSize[k]); m > 0 {
			size := float64(k)
			weighted += c.squares[k] / size
			sizes += float64(m * size * size)
		}
	}
	between := math.Max(0, weighted-float64(n*float64(mean*mean))) / float64(groups-1)
	within := math.Max(0, c.square-weighted) / float64(c.n-groups)
	random := math.Max(0, (between-within)/((n-sizes/n)/float64(groups-1)))
	rho := 0.0
	if random > 0 {
		rho = random / (random + within)
	}
	if groups >= FewestPairs { // two or three openings do not determine rho
		out.Effective = n / (1 + float64((sizes/n-1)*rho))
	}

	var v, cff, cvv, cfv, crossed, vv, variance float64
	shape := func(k int) (size, f, vg float64) {
		size = float64(k)
		return size, size / n, size * (1 + float64((size-1)*rho))
	}
	for k := 1; k < len(o.ofSize); k++ {
		_, _, vg := shape(k)
		v += float64(float64(o.ofSize[k]) * vg)
	}
	for k := 1; k < len(o.ofSize); k++ {
		m := float64(o.ofSize[k])
		if m == 0 {
			continue
		}
		size, f, vg := shape(k)
		cg := vg / (float64(vg*(1-float64(2*f))) + float64(float64(f*f)*v))
		at := float64(size * mean) // the factor 2 below is compiled to an addition
		variance += float64(cg * math.Max(0, c.squares[k]-float64(2*at*c.totals[k])+float64(m*float64(at*at))))
		// With Cov(S_g, S_h) = -f_h v_g - f_g v_h + f_g f_h v, and v_g/c_g for g = h, the double
		// sum of c_g c_h Cov² reduces to the following single sums.
		cff += float64(m * cg * f * f)
		cvv += float64(m * cg * vg * vg)
		cfv += float64(m * cg * f * vg)
		self := cg * (float64(f*f*v) - float64(2*f*vg))
		crossed += float64(m * float64(self*self))
		vv += float64(m * float64(vg*vg))
	}
	if !(variance > 1e-24*float64(n*c.square)) {
		// If all openings happen to have the same mean, only the variance between pairs remains.
		out.Err = sd / math.Sqrt(n)
		return out
	}
	out.Err = math.Sqrt(variance) / n
	all := float64(2*float64(cff*cvv)) + float64(float64(v*v)*float64(cff*cff)) + float64(2*float64(cfv*cfv)) - float64(4*v*cff*cfv) - crossed + vv
	out.Freedom = math.Max(1, math.Min(float64(v*v)/all, n-1))
	return out
}

// Estimate returns the mean with an interval based on Student's t, using the degrees of freedom of
// the spread. If all observations are equal, the interval is based on the number of openings
// instead of pairs.
func (c *Clustered) Estimate(o *OpeningCounts, in Span) Estimate {
	if o.Own() {
		return c.Moments.Estimate(c.n, in)
	}
	e := Estimate{Value: c.mean, Known: true}
	u := c.Spread(o)
	switch {
	case u.Units < FewestPairs:
		e.Lacks = fewOpenings(u.Units, c.n, FewestPairs)
		return e
	case u.Err == 0:
		return c.Moments.Estimate(u.Units, in)
	}
	half := float64(TQuantile95(u.Freedom) * u.Err)
	e.Low, e.High, e.Bounded = math.Max(e.Value-half, in.Low), math.Min(e.Value+half, in.High), true
	return e
}

// Influence returns the influence of each pair on k = (m-1/2)/s, the ratio from which normalised
// Elo is computed. Here m is the mean score of a pair and s > 0 its standard deviation. The
// influence of a score m+d is d/s - k (d² - s²)/(2s²). The spread of the influence is the spread of
// k, which takes into account that s is estimated from the same pairs as m (the delta method;
// Hampel 1974). The parameters are the scores of the pairs, their squares, and the opening counts.
func (c *Clustered) Influence(squares *Clustered, counts Pentanomial, o *OpeningCounts) *Clustered {
	m, s := counts.Mean(), counts.Deviation()
	k := (m - 0.5) / s
	curve := k / float64(2*s*s)
	// The same expression, written as a + b x - c x² for the score x.
	b := 1/s + float64(2*curve*m)
	a := -m/s - float64(curve*(float64(m*m)-float64(s*s)))
	out := &Clustered{Moments: Moments{n: c.n}}
	for i, n := range counts {
		d := pairScores[i] - m
		x := d/s - float64(curve*(float64(d*d)-float64(s*s)))
		out.square += float64(n * float64(x*x))
	}
	out.m2 = out.square
	if o.Own() {
		return out
	}
	out.totals, out.squares = make([]float64, len(o.ofSize)), make([]float64, len(o.ofSize))
	for g, total := range c.total {
		n := float64(o.count[g].pairs)
		t := float64(a*n) + float64(b*(total+float64(n*c.first))) - float64(curve*(squares.total[g]+float64(n*squares.first)))
		out.totals[o.count[g].pairs] += t
		out.squares[o.count[g].pairs] += float64(t * t)
	}
	return out
}

func fewOpenings(openings, pairs, want int) string {
	return fmt.Sprintf("too few openings: %d with %s, want at least %d", openings, text.Counted(pairs, "pair"), want)
}

// SpreadOf returns the spread of the mean for the given number of independent pairs. It ignores
// openings.
func (c *Clustered) SpreadOf(independent int) Spread {
	n := float64(independent)
	return Spread{Units: independent, Err: c.Deviation() / math.Sqrt(n), Freedom: math.Max(1, n-1), Effective: n}
}
