package stats

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"plyfit/internal/elementary"
)

// Scale is the scale on which the hypotheses of an SPRT are specified.
type Scale string

const (
	Normalised  Scale = "normalised" // normalised Elo, the default
	LogisticElo Scale = "logistic"   // Elo of the mean score; only if the measure is "wins"
)

// An SPRT is a sequential probability ratio test. It ends a match as soon as the evidence suffices
// to decide between two hypotheses about the difference in strength. If Alpha, Beta or Scale is
// zero, its default is used.
type SPRT struct {
	Low  float64 `json:"low"`  // H0: the first player is better by at most this much Elo
	High float64 `json:"high"` // H1: the first player is better by at least this much Elo; greater than Low
	// Alpha is the probability of accepting H1 if H0 is true, and Beta the probability of accepting
	// H0 if H1 is true. The default is 0.05.
	Alpha float64 `json:"alpha,omitempty"`
	Beta  float64 `json:"beta,omitempty"`
	Scale Scale   `json:"scale,omitempty"` // Normalised if empty
}

// widestElo limits the hypotheses, because distributions of pair scores that are far from even
// cannot be fitted.
const widestElo = 300

// Check returns t with defaults filled in, or an error if t is invalid.
func (t SPRT) Check() (SPRT, error) {
	t.Alpha, t.Beta, t.Scale = cmp.Or(t.Alpha, 0.05), cmp.Or(t.Beta, 0.05), cmp.Or(t.Scale, Normalised)
	switch {
	case !(t.Low < t.High):
		return t, fmt.Errorf("sprt %v,%v: want the first bound below the second", t.Low, t.High)
	case !(math.Abs(t.Low) <= widestElo && math.Abs(t.High) <= widestElo):
		return t, fmt.Errorf("sprt %v,%v: want Elo bounds from -%d to %d", t.Low, t.High, widestElo, widestElo)
	case !(t.Alpha > 0 && t.Alpha < 0.5 && t.Beta > 0 && t.Beta < 0.5):
		return t, fmt.Errorf("sprt error rates %v and %v: want probabilities above 0 and below 0.5", t.Alpha, t.Beta)
	case t.Scale != Normalised && t.Scale != LogisticElo:
		return t, fmt.Errorf("sprt scale %q: want %s or %s", t.Scale, Normalised, LogisticElo)
	}
	return t, nil
}

// Bounds returns the log-likelihood ratios at which the test ends. H0 is accepted at or below
// ln(beta/(1-alpha)), and H1 at or above ln((1-beta)/alpha) (Wald 1945).
func (t SPRT) Bounds() (lower, upper float64) {
	t, _ = t.Check() // fills in the defaults
	return elementary.Log(t.Beta / (1 - t.Alpha)), elementary.Log((1 - t.Beta) / t.Alpha)
}

// Decision is the state of a sequential test.
type Decision string

const (
	Open       Decision = "open" // not decided yet
	AcceptLow  Decision = "H0"   // H0 was accepted
	AcceptHigh Decision = "H1"   // H1 was accepted
)

// Decide returns the decision for a log-likelihood ratio.
func (t SPRT) Decide(llr float64) Decision {
	switch lower, upper := t.Bounds(); {
	case llr <= lower:
		return AcceptLow
	case llr >= upper:
		return AcceptHigh
	}
	return Open
}

// LLR returns the generalised log-likelihood ratio of the two hypotheses for the counted pairs: N
// sum p^ ln(p1/p0). Each hypothesis is represented by the most likely distribution of pair scores
// that satisfies it (Van den Bergh, "A practical introduction to the GSPRT"). LLR returns 0 if
// there are no pairs.
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

// hypotheses returns the most likely distributions of pair scores under H0 and H1.
func (t SPRT) hypotheses(share [5]float64) (p0, p1 [5]float64) {
	if t.Scale == LogisticElo {
		return fitMean(share, score(t.Low)), fitMean(share, score(t.High))
	}
	return fitNormalised(share, pairT(t.Low)), fitNormalised(share, pairT(t.High))
}

// ClusteredLLR is [SPRT.LLR] for pairs that share openings. The counts are scaled to the number of
// independent pairs that would have the clustered variance of the mean score. This divides the
// deviance D = 2 N sum p^ ln(p^/p) of each hypothesis by the design effect (Rao and Scott, Annals
// of Statistics 15, 1987, first-order correction).
//
// With few openings, the variance is estimated with few degrees of freedom. As in Student's test,
// (D0-D1)/2 is therefore replaced by the log ratio of the likelihoods with an unknown common
// variance,
//
//	(nu+1)/2 ln((1 + D0/nu)/(1 + D1/nu)).
//
// The parameter nu accounts for the degrees of freedom lost through clustering: 1/nu = 1/freedom -
// 1/(n-1). If each pair has its own opening, nu is infinite, and the ratio equals that of LLR.
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

// fitMean returns the most likely distribution with mean s, given the shares.
func fitMean(share [5]float64, s float64) [5]float64 {
	var phi [5]float64
	for i, a := range pairScores {
		phi[i] = a - s
	}
	p, _ := tilt(share, phi)
	return p
}

// fitNormalised returns the most likely distribution whose mean is 1/2 + t sigma. Since this
// constraint is not linear in p, it is linearised at the previous distribution, starting with the
// uniform one. Where no distribution satisfies the linearised constraint, the iteration continues
// halfway to a certain double win, or loss if t is negative.
func fitNormalised(share [5]float64, t float64) [5]float64 {
	p := [5]float64{0.2, 0.2, 0.2, 0.2, 0.2}
	extreme := 0
	if t > 0 {
		extreme = 4
	}
	for range 60 {
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
			for i := range p {
				p[i] /= 2
			}
			p[extreme] += 0.5
			continue
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

// tilt returns the most likely distribution p, given the shares, with sum p phi = 0. It has the
// form p = share/(1 + theta phi), where theta solves sum share phi/(1 + theta phi) = 0. The sum
// decreases between the two poles closest to 0, which enclose the root. If all phi have the same
// sign, no distribution satisfies the constraint; in that case, ok is false and p equals share.
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

// TLLR returns the log-likelihood ratio of a sequential t-test, for matches that compare utilities
// instead of wins, draws and losses. It compares the densities of Student's statistic for n pairs
// if the true mean is t0 or t1 standard deviations. The parameters mean and deviation are those of
// the differences within pairs, with n-1 in the denominator of the deviation. Neither hypothesis
// specifies the deviation, which cancels out (Rushton, Biometrika 37, 1950; Schnuerch and
// Erdfelder, Psychological Methods 25, 2020).
//
// t0 and t1 correspond to Low and High in normalised Elo, sqrt2 nElo ln 10/800, as in [SPRT.LLR].
// TLLR returns 0 if there are fewer than two pairs or if all pairs are equal.
func (t SPRT) TLLR(n int, mean, deviation float64) float64 {
	if n < 2 {
		return 0
	}
	return t.tLLR(float64(n-1), math.Sqrt(float64(n)), mean, deviation)
}

// tLLR returns the ratio for a mean whose standard error is deviation/root, with nu degrees of
// freedom.
func (t SPRT) tLLR(nu, root, mean, deviation float64) float64 {
	if deviation <= 1e-12*math.Abs(mean) || deviation == 0 {
		return 0
	}
	x := root * mean / deviation // Student's statistic
	return logNoncentralT(x, nu, root*pairT(t.High)) - logNoncentralT(x, nu, root*pairT(t.Low))
}

// ClusteredTLLR is [SPRT.TLLR] for pairs that share openings. Student's statistic is the mean
// divided by its clustered standard error, with the degrees of freedom of that error. The
// hypotheses are in standard deviations of a pair and are multiplied by deviation/error. The square
// of this factor is the number of independent pairs that would have the same error.
func (t SPRT) ClusteredTLLR(mean, deviation float64, u Spread) float64 {
	if u.Err == 0 {
		return 0
	}
	return t.tLLR(u.Freedom, deviation/u.Err, mean, deviation)
}

// logNoncentralT returns the log density of the noncentral t distribution at x, up to factors that
// do not depend on mu. The density is exp(-nu mu^2/(2(x^2+nu))) times the integral over y > 0 of
// y^nu exp(-(y-c)^2/2), where c = mu x/sqrt(x^2+nu).
func logNoncentralT(x, nu, mu float64) float64 {
	s := float64(x*x) + nu
	c := mu * x / math.Sqrt(s)
	// The integrand is log-concave with its peak at y0. The curvature of its logarithm is at least
	// 1, so the integrand is negligible at a distance of 12. Narrow peaks vanish at a smaller
	// distance, although the right flank of such a peak decays only exponentially.
	log := func(y float64) float64 { return float64(nu*elementary.Log(y)) - float64(float64((y-c)*(y-c))/2) }
	y0 := float64((c + math.Sqrt(float64(c*c)+float64(4*nu))) / 2)
	if c < 0 { // the same root, computed without cancellation
		y0 = 2 * nu / (math.Sqrt(float64(c*c)+float64(4*nu)) - c)
	}
	peak := log(y0)
	width := math.Min(12, 40/math.Sqrt(1+nu/(y0*y0)))
	from, to := math.Max(0, y0-width), y0+width
	const steps = 600 // an even number, for Simpson's rule
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

// Share returns the expected fraction of the points for an Elo difference, and the standard
// deviation of this fraction in a pair. The latter assumes that there are no draws and that games
// are independent; draws reduce it.
func Share(elo float64) (mean, deviation float64) {
	p := score(elo)
	return p, math.Sqrt(p * (1 - p) / 2)
}

// Accepts simulates a test and reports whether it accepts H1 within the given number of pairs. The
// true difference is elo. Pair scores are normally distributed with the moments that [Share]
// returns.
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
