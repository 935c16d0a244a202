package stats

import (
	"math"

	"plyfit/internal/elementary"
)

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
