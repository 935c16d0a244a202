package stats

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"plyfit/internal/elementary"
)

// Scale is the scale on which an SPRT's two hypotheses stand.
type Scale string

const (
	Normalised  Scale = "normalised" // normalised Elo, the default
	LogisticElo Scale = "logistic"   // Elo of the mean score; wins and losses only
)

// SPRT is a sequential probability ratio test: it ends the match as soon as one of two hypotheses
// on the difference of strength is refuted. Zero Alpha, Beta and Scale are the defaults.
type SPRT struct {
	Low  float64 `json:"low"`  // H0: the first player is better by this much Elo at most
	High float64 `json:"high"` // H1: by this much at least; above Low
	// Alpha is the probability of accepting H1 if H0 holds, Beta of H0 if H1 holds; 0: 0.05 each.
	Alpha float64 `json:"alpha,omitempty"`
	Beta  float64 `json:"beta,omitempty"`
	Scale Scale   `json:"scale,omitempty"` // ""; Normalised
}

// widestElo bounds the hypotheses: no distribution of pairs has a mean beyond it and so small a
// deviation.
const widestElo = 300

// Check completes the defaults and says what is wrong with the rest.
func (t SPRT) Check() (SPRT, error) {
	t.Alpha, t.Beta, t.Scale = cmp.Or(t.Alpha, 0.05), cmp.Or(t.Beta, 0.05), cmp.Or(t.Scale, Normalised)
	switch {
	case !(t.Low < t.High):
		return t, fmt.Errorf("sprt %v,%v: want the first below the second", t.Low, t.High)
	case !(math.Abs(t.Low) <= widestElo && math.Abs(t.High) <= widestElo):
		return t, fmt.Errorf("sprt %v,%v: want Elo from -%d to %d", t.Low, t.High, widestElo, widestElo)
	case !(t.Alpha > 0 && t.Alpha < 0.5 && t.Beta > 0 && t.Beta < 0.5):
		return t, fmt.Errorf("sprt error rates %v and %v: want probabilities above 0 and below 0.5", t.Alpha, t.Beta)
	case t.Scale != Normalised && t.Scale != LogisticElo:
		return t, fmt.Errorf("sprt scale %q: want %s or %s", t.Scale, Normalised, LogisticElo)
	}
	return t, nil
}

// Bounds are the log-likelihood ratios at which the test ends: H0 is accepted at
// ln(beta/(1-alpha)) and below, H1 at ln((1-beta)/alpha) and above (Wald 1945).
func (t SPRT) Bounds() (lower, upper float64) {
	t, _ = t.Check() // for its defaults
	return elementary.Log(t.Beta / (1 - t.Alpha)), elementary.Log((1 - t.Beta) / t.Alpha)
}

// Decision is where a sequential test stands.
type Decision string

const (
	Open       Decision = "open" // more pairs are wanted
	AcceptLow  Decision = "H0"   // the difference of SPRT.Low is accepted
	AcceptHigh Decision = "H1"   // that of SPRT.High
)

// Decide is the decision at a log-likelihood ratio.
func (t SPRT) Decide(llr float64) Decision {
	switch lower, upper := t.Bounds(); {
	case llr <= lower:
		return AcceptLow
	case llr >= upper:
		return AcceptHigh
	}
	return Open
}

// LLR is the generalised log-likelihood ratio of the two hypotheses over the pairs counted: each
// is the likeliest distribution of pair scores that fits it (Van den Bergh, "A practical
// introduction to the GSPRT"); LLR = N sum p^ ln(p1/p0). 0 without pairs.
func (t SPRT) LLR(c Pentanomial) float64 {
	if c.Pairs() == 0 {
		return 0
	}
	share, n := c.shares()
	p0, p1 := t.hypotheses(share)
	llr := 0.0
	for i, p := range share {
		llr += float64(p * elementary.Log(p1[i]/p0[i]))
	}
	return n * llr
}

// hypotheses are the likeliest distributions of pair scores under H0 and H1.
func (t SPRT) hypotheses(share [5]float64) (p0, p1 [5]float64) {
	if t.Scale == LogisticElo {
		return fitMean(share, score(t.Low)), fitMean(share, score(t.High))
	}
	return fitNormalised(share, pairT(t.Low)), fitNormalised(share, pairT(t.High))
}

// ClusteredLLR is [SPRT.LLR] of pairs from repeated openings. The counts are scaled to the number
// of pairs with the clustered variance of the mean score, which divides each hypothesis's deviance
// D = 2 N sum p^ ln(p^/p) by the design effect (Rao and Scott, Annals of Statistics 15, 1987, the
// correction of first order). With few openings that variance is an estimate with few degrees of
// freedom. As in Student's test, (D0-D1)/2 is replaced by the log ratio of the likelihoods with an
// unknown common variance,
//
//	(nu+1)/2 ln((1 + D0/nu)/(1 + D1/nu)).
//
// nu is the cost of clustering, 1/nu = 1/freedom - 1/(n-1): with an opening for each pair it is
// infinite and the ratio that of LLR.
func (t SPRT) ClusteredLLR(c Pentanomial, u Spread) float64 {
	pairs, sd := c.Pairs(), c.Deviation()
	if u.Err == 0 || sd == 0 {
		return 0
	}
	unbiased := sd * sd * pairs / (pairs - 1)
	share, n := c.Scaled(unbiased / (u.Err * u.Err) / pairs).shares()
	p0, p1 := t.hypotheses(share)
	d0, d1 := 0.0, 0.0
	for i, p := range share {
		d0 += float64(2 * n * p * elementary.Log(p/p0[i]))
		d1 += float64(2 * n * p * elementary.Log(p/p1[i]))
	}
	cost := 1/u.Freedom - 1/(pairs-1)
	if cost <= 0 {
		return (d0 - d1) / 2
	}
	nu := 1 / cost
	return (nu + 1) / 2 * (elementary.Log1p(d0/nu) - elementary.Log1p(d1/nu))
}

// fitMean is the distribution with mean s likeliest for the shares.
func fitMean(share [5]float64, s float64) [5]float64 {
	var phi [5]float64
	for i, a := range pairScores {
		phi[i] = a - s
	}
	p, _ := tilt(share, phi)
	return p
}

// fitNormalised is the likeliest distribution whose mean is 1/2 + t sigma. The constraint is not
// linear in p, so it is linearised at the previous distribution, beginning with the uniform one.
func fitNormalised(share [5]float64, t float64) [5]float64 {
	p := [5]float64{0.2, 0.2, 0.2, 0.2, 0.2}
	for range 10 {
		mu, v := 0.0, 0.0
		for i, a := range pairScores {
			mu += float64(p[i] * a)
		}
		for i, a := range pairScores {
			v += float64(p[i] * (a - mu) * (a - mu))
		}
		sigma := math.Sqrt(v)
		var phi [5]float64
		for i, a := range pairScores {
			x := (a - mu) / sigma
			phi[i] = a - 0.5 - float64(t*sigma/2*(1+float64(x*x)))
		}
		next, ok := tilt(share, phi)
		if !ok {
			break
		}
		moved := 0.0
		for i := range p {
			moved = math.Max(moved, math.Abs(next[i]-p[i]))
		}
		p = next
		if moved < 1e-9 {
			break
		}
	}
	return p
}

// tilt is the distribution p likeliest for the shares among those with sum p phi = 0: p = share/(1
// + theta phi), where theta solves sum share phi/(1 + theta phi) = 0. That sum decreases between
// the two poles next to 0, which enclose the root. ok is false, and p the shares, if phi has one
// sign only, so that no distribution fits.
func tilt(share, phi [5]float64) (p [5]float64, ok bool) {
	least, most := phi[0], phi[0]
	for _, x := range phi {
		least, most = math.Min(least, x), math.Max(most, x)
	}
	if !(least < 0 && most > 0) {
		return share, false
	}
	lo, hi := -1/most, -1/least
	theta := 0.0
	for range 200 {
		f, slope := 0.0, 0.0
		for i, x := range phi {
			d := 1 + float64(theta*x)
			f += share[i] * x / d
			slope -= share[i] * x * x / (d * d)
		}
		if f > 0 {
			lo = theta
		} else {
			hi = theta
		}
		next := theta - f/slope
		if !(next > lo && next < hi) {
			next = float64((lo + hi) / 2)
		}
		if math.Abs(next-theta) <= 1e-15*math.Max(1, math.Abs(theta)) {
			break
		}
		theta = next
	}
	for i, x := range phi {
		p[i] = share[i] / (1 + float64(theta*x))
	}
	return p, true
}

// TLLR is the log-likelihood ratio of a sequential t-test: the same hypotheses for utilities that
// are no wins, draws and losses. Over n pairs whose differences have the given mean and deviation
// (n-1 in the denominator), it compares the densities of Student's statistic at true means of t0
// and t1 deviations from zero. The deviation is in neither hypothesis and drops out (Rushton,
// Biometrika 37, 1950; Schnuerch and Erdfelder, Psychological Methods 25, 2020). t0 and t1 are Low
// and High in normalised Elo, sqrt2 nElo ln 10/800, as in the other test. 0 for fewer than two
// pairs, or if all of them ended alike.
func (t SPRT) TLLR(n int, mean, deviation float64) float64 {
	if n < 2 {
		return 0
	}
	return t.tLLR(float64(n-1), math.Sqrt(float64(n)), mean, deviation)
}

// tLLR is the ratio for a mean with standard error deviation/root and nu degrees of freedom.
func (t SPRT) tLLR(nu, root, mean, deviation float64) float64 {
	if deviation <= 1e-12*math.Abs(mean) || deviation == 0 {
		return 0
	}
	x := root * mean / deviation // Student's statistic
	return logNoncentralT(x, nu, root*pairT(t.High)) - logNoncentralT(x, nu, root*pairT(t.Low))
}

// ClusteredTLLR is [SPRT.TLLR] of pairs from repeated openings: Student's statistic is the mean
// over its clustered standard error, with that error's degrees of freedom. The hypotheses, in
// deviations of a pair, are multiplied by deviation/error, the root of the number of pairs that
// with distinct openings would have that error.
func (t SPRT) ClusteredTLLR(mean, deviation float64, u Spread) float64 {
	if u.Err == 0 {
		return 0
	}
	return t.tLLR(u.Freedom, deviation/u.Err, mean, deviation)
}

// logNoncentralT is the log density of the noncentral t distribution at x, up to factors
// independent of mu: exp(-nu mu^2/(2(x^2+nu))) times the integral over y > 0 of y^nu
// exp(-(y-c)^2/2), c = mu x/sqrt(x^2+nu).
func logNoncentralT(x, nu, mu float64) float64 {
	s := float64(x*x) + nu
	c := mu * x / math.Sqrt(s)
	// The integrand is log-concave with its peak at y0. The curvature of its logarithm is at least
	// 1 everywhere, so it vanishes at a distance of 12; a narrow peak sooner, though its right
	// flank falls like an exponential, not like a normal density.
	log := func(y float64) float64 { return float64(nu*elementary.Log(y)) - float64(float64((y-c)*(y-c))/2) }
	y0 := float64((c + math.Sqrt(float64(c*c)+float64(4*nu))) / 2)
	if c < 0 { // the same root without cancellation
		y0 = 2 * nu / (math.Sqrt(float64(c*c)+float64(4*nu)) - c)
	}
	peak := log(y0)
	width := math.Min(12, 40/math.Sqrt(1+nu/(y0*y0)))
	from, to := math.Max(0, y0-width), y0+width
	const steps = 600 // even: Simpson's rule
	h := (to - from) / steps
	sum := 0.0
	for i := 0; i <= steps; i++ {
		w := 2.0
		switch {
		case i == 0 || i == steps:
			w = 1
		case i%2 == 1:
			w = 4
		}
		if y := from + float64(float64(i)*h); y > 0 {
			sum += float64(w * elementary.Exp(log(y)-peak))
		}
	}
	return -nu*mu*mu/(2*s) + peak + elementary.Log(sum*h/3)
}

// Share is the share of the points of one who is better by so much Elo, and the standard deviation
// of a pair's share where no game is drawn and one says nothing of the other: draws make it smaller.
func Share(elo float64) (mean, deviation float64) {
	p := score(elo)
	return p, math.Sqrt(p * (1 - p) / 2)
}

// Accepts draws a test of one who is better by so much Elo, as [Share] has pairs, and reports whether
// H1 is accepted within so many. The ratio is that of normal shares.
func (t SPRT) Accepts(elo float64, pairs int, rng *rand.Rand) bool {
	mean, sd := Share(elo)
	t0, t1 := pairT(t.Low), pairT(t.High)
	if t.Scale == LogisticElo {
		t0, t1 = (score(t.Low)-0.5)/sd, (score(t.High)-0.5)/sd
	}
	llr := 0.0
	for range pairs {
		z := (mean-0.5)/sd + rng.NormFloat64()
		llr += float64((t1 - t0) * (z - float64((t0+t1)/2)))
		if d := t.Decide(llr); d != Open {
			return d == AcceptHigh
		}
	}
	return false
}
