package stats

import (
	"math"
	"math/rand/v2"

	"plyfit/internal/elementary"
)

// FewestStopped is the minimum number of independent pairs for [SPRT.Stopped].
const FewestStopped = 30

// Tilted is an exponential family of distributions of the pair score that contains the observed
// distribution. All distributions in the family have the same five values x. In the distribution
// with the parameter theta, the probabilities are proportional to p exp(theta x).
type Tilted struct {
	x, logP [5]float64
	even    float64 // score of equal players
	mean    float64 // observed mean
	pairs   float64 // number of independent pairs
}

// smoothing is added to each count, so that outcomes that did not occur have a positive
// probability.
const smoothing = 0.1

// Tilted returns the family that contains the distribution of the counts.
func (c Pentanomial) Tilted() *Tilted {
	f := &Tilted{x: pairScores, even: 0.5, mean: c.Mean(), pairs: c.Pairs()}
	for i, n := range c {
		f.logP[i] = elementary.Log((n + smoothing) / (f.pairs + 5*smoothing))
	}
	return f
}

// hermite contains the nodes and weights of Gauss-Hermite quadrature with five nodes. They have the
// same first nine moments as the standard normal distribution.
var hermite = [2][5]float64{
	{-2.8569700138728056, -1.355626179974266, 0, 1.355626179974266, 2.8569700138728056},
	{0.011257411327720691, 0.2220759220056126, 0.5333333333333333, 0.2220759220056126, 0.011257411327720691},
}

// NormalTilted returns the family of normal distributions with the observed deviation, for scores
// whose mean is 0 between equal players.
func NormalTilted(pairs, mean, deviation float64) *Tilted {
	f := &Tilted{mean: mean, pairs: pairs}
	for i, z := range hermite[0] {
		f.x[i] = mean + float64(deviation*z)
		f.logP[i] = elementary.Log(hermite[1][i])
	}
	return f
}

// member returns the probabilities of the distribution with the parameter theta, their mean and
// standard deviation, and the logarithm of the sum of p exp(theta x).
func (f *Tilted) member(theta float64) (p [5]float64, mean, deviation, logSum float64) {
	most, sum := math.Inf(-1), 0.0
	for i, x := range f.x {
		p[i] = f.logP[i] + float64(theta*x)
		most = math.Max(most, p[i])
	}
	for i := range p {
		p[i] = elementary.Exp(p[i] - most)
		sum += p[i]
	}
	for i, x := range f.x {
		p[i] /= sum
		mean += float64(p[i] * x)
	}
	for i, x := range f.x {
		deviation += float64(p[i] * float64((x-mean)*(x-mean)))
	}
	return p, mean, math.Sqrt(deviation), most + elementary.Log(sum)
}

// A stop is the final state of a simulated test: the sum of the scores and the number of pairs.
type stop struct{ sum, pairs float64 }

// simulate simulates n tests and appends their final states to stops. The parameter most is the
// maximum number of pairs in a test, and p contains the probabilities of the pair scores. The
// log-likelihood ratio is computed for normally distributed scores. If the mean is x standard
// deviations above the score of equal players, it is
//
//	pairs/2 ln((1+(x-x0)²)/(1+(x-x1)²)).
//
// This is close to [SPRT.LLR] and does not require a fit for each pair.
func (f *Tilted) simulate(t SPRT, p [5]float64, most, n int, rng *rand.Rand, stops []stop) []stop {
	var draw [1 << 16]float64 // differences between the scores and the score of equal players, repeated in proportion to their probabilities
	from, sum := 0, 0.0
	for i, x := range f.x {
		sum += p[i]
		for to := int(math.Round(sum * float64(len(draw)))); from < len(draw) && (from < to || i == len(p)-1); from++ {
			draw[from] = x - f.even
		}
	}
	lower, upper := t.Bounds()
	// The mean under hypothesis k is even + shift[k] + slope[k] standard deviations.
	shift, slope := [2]float64{}, [2]float64{pairT(t.Low), pairT(t.High)}
	if t.Scale == LogisticElo {
		shift, slope = [2]float64{score(t.Low) - 0.5, score(t.High) - 0.5}, [2]float64{}
	}
	for range n {
		var sum, squares, pairs float64
		var bits uint64
		for k := 0; k < most; k++ {
			if k%4 == 0 {
				bits = rng.Uint64()
			}
			x := draw[bits&0xffff]
			bits >>= 16
			sum += x
			squares += float64(x * x)
			pairs++
			mean := sum / pairs
			v := max(squares/pairs-float64(mean*mean), 1e-3/pairs)
			sd := math.Sqrt(v)
			d0, d1 := mean-shift[0]-float64(slope[0]*sd), mean-shift[1]-float64(slope[1]*sd)
			ratio := (v + float64(d0*d0)) / (v + float64(d1*d1))
			// The bounds 1 - 1/r <= ln r <= r - 1 usually make it unnecessary to compute the
			// logarithm.
			if half := pairs / 2; k > 0 && (half*(ratio-1) >= upper || half*(1-1/ratio) <= lower) {
				if llr := half * elementary.Log(ratio); llr <= lower || llr >= upper {
					break
				}
			}
		}
		stops = append(stops, stop{sum + float64(pairs*f.even), pairs})
	}
	return stops
}

// simulations is the number of tests simulated with each of three distributions in the family.
const simulations = 400

// Stopped estimates the mean score of a pair after a match that t could end early. The parameter
// most is the maximum number of pairs. The usual estimate is biased towards the accepted
// hypothesis, and its interval contains the true value in only about 90% of matches.
//
// Stopped instead finds a distribution in the family f for which half of such matches end with a
// smaller mean score than the observed one. The estimate is the mean of this distribution. The ends
// of the interval are found in the same way, with about 97.5% and 2.5% in place of one half. With
// few pairs, these percentages are closer to 100% and 0%. A match that ends with exactly the
// observed mean score counts as half a match with a smaller one. The same simulated tests are used
// for all distributions. They are drawn with a fixed seed from three of the distributions and
// weighted by likelihood ratios (Wald 1945).
func (t SPRT) Stopped(f *Tilted, most int) Estimate {
	rng := rand.New(rand.NewPCG(1, 0))
	_, _, sd, _ := f.member(0)
	step := 2 / (sd * math.Sqrt(f.pairs)) // shifts the mean by two standard errors
	thetas, logSums, stops := [3]float64{-step, 0, step}, [3]float64{}, []stop(nil)
	for k, theta := range thetas {
		p, _, _, logSum := f.member(theta)
		logSums[k] = logSum
		stops = f.simulate(t, p, most, simulations, rng, stops)
	}
	mixed := make([]float64, len(stops)) // log likelihoods of the mixture of the three distributions
	for i, s := range stops {
		var l [3]float64
		for k, theta := range thetas {
			l[k] = float64(theta*s.sum) - float64(s.pairs*logSums[k])
		}
		high := max(l[0], l[1], l[2])
		mixed[i] = high + elementary.Log(elementary.Exp(l[0]-high)+elementary.Exp(l[1]-high)+elementary.Exp(l[2]-high))
	}
	above := func(theta float64) float64 {
		_, _, _, logSum := f.member(theta)
		total, more := 0.0, 0.0
		for i, s := range stops {
			w := elementary.Exp(float64(theta*s.sum) - float64(s.pairs*logSum) - mixed[i])
			total += w
			switch gap := s.sum/s.pairs - f.mean; {
			case math.Abs(gap) < 1e-9:
				more += float64(w / 2)
			case gap > 0:
				more += w
			}
		}
		return more / total
	}
	freedom := f.pairs - 1
	if int(f.pairs) < most { // tests tend to end when the observed deviation of the pairs happens to be too small
		freedom /= 3
	}
	tail := elementary.Round(Above(TQuantile95(freedom), math.MaxInt32))
	e := Estimate{Known: true, Bounded: true}
	for p, x := range map[float64]*float64{tail: &e.Low, 0.5: &e.Value, 1 - tail: &e.High} {
		low, high := float64(-4*step), float64(4*step)
		for range 24 {
			if middle := (low + high) / 2; above(middle) < p {
				low = middle
			} else {
				high = middle
			}
		}
		_, mean, _, _ := f.member((low + high) / 2)
		*x = elementary.Round(mean)
	}
	return e
}
