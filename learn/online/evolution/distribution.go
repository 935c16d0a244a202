package evolution

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"

	"plyfit/features"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/dense"
	"plyfit/internal/elementary"
	"plyfit/internal/list"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
)

// A distribution is the normal distribution N(mean, sigma^2 C) from which candidates are drawn. It
// moves towards the best candidates. The method is the (mu/mu_w, lambda) evolution strategy with
// covariance matrix adaptation, without negative weights, in the notation of Hansen, "The CMA
// Evolution Strategy: A Tutorial" (arXiv 1604.00772, 2016). As in Krause, Arbonès and Igel ("CMA-ES
// with optimal covariance update and storage complexity", NIPS 2016), A is a Cholesky factor of C
// instead of its square root, so no eigenvectors have to be computed. If there are more than
// [widest] numbers, C is diagonal (sep-CMA-ES: Ros and Hansen, "A simple modification in CMA-ES
// achieving linear time and space complexity", 2008).
//
// gonum's CmaEsChol is not used, because it draws without sigma, cannot be stopped and resumed, and
// sums in a different order on machines for which it has assembly code.
type distribution struct {
	mean        []float64
	sigma       float64
	c           []float64 // n rows of n numbers, lower triangle; only n numbers if C is diagonal
	a           []float64 // factor of c, with the same layout
	pc, ps      []float64 // evolution paths
	generations int64     // number of generations

	diagonal bool
	weights  []float64 // weights of the mu best candidates, best first
	muEff    float64   // variance effective selection mass
	cc, cs   float64   // learning rates of the paths
	c1, cmu  float64   // learning rates of C: rank one and rank mu
	ds, chi  float64   // damping of sigma, E|N(0,I)|
}

// widest is the maximum dimension for which C is a full matrix.
const widest = 500

// newDistribution returns a distribution with C = I. It keeps and modifies the slice mean.
func newDistribution(mean []float64, sigma float64, population int) *distribution {
	n := len(mean)
	d := &distribution{
		mean: mean, sigma: sigma, diagonal: n > widest,
		pc: make([]float64, n), ps: make([]float64, n), weights: make([]float64, population/2),
	}
	size := n * n
	if d.diagonal {
		size = n
	}
	d.c, d.a = make([]float64, size), make([]float64, size)
	for i := range n {
		d.c[d.at(i, i)], d.a[d.at(i, i)] = 1, 1
	}
	sum, squares := 0.0, 0.0
	for i := range d.weights {
		d.weights[i] = elementary.Log(float64(population+1)/2) - elementary.Log(float64(i+1))
		sum += d.weights[i]
	}
	for i := range d.weights {
		d.weights[i] /= sum
		squares += float64(d.weights[i] * d.weights[i])
	}
	N, mu := float64(n), 1/squares
	d.muEff = mu
	d.cc = (4 + mu/N) / (N + 4 + float64(2*mu)/N)
	d.cs = (mu + 2) / (N + mu + 5)
	d.c1 = 2 / (float64((N+1.3)*(N+1.3)) + mu)
	d.cmu = min(1-d.c1, 2*(mu-2+1/mu)/(float64((N+2)*(N+2))+mu))
	if d.diagonal {
		d.c1 = min(1, d.c1*(N+2)/3)
		d.cmu = min(1-d.c1, d.cmu*(N+2)/3)
	}
	d.ds = 1 + float64(2*max(0, math.Sqrt((mu-1)/(N+1))-1)) + d.cs
	d.chi = math.Sqrt(N) * (1 - 1/float64(4*N) + 1/float64(21*N*N))
	return d
}

// at returns the index of row i and column j in c and a. If the matrix is diagonal, i and j must be
// equal.
func (d *distribution) at(i, j int) int {
	if d.diagonal {
		return i
	}
	return i*len(d.mean) + j
}

// draw fills z with standard normal random numbers, and x with the resulting candidate.
func (d *distribution) draw(rng *rand.Rand, z, x []float64) {
	for i := range z {
		z[i] = rng.NormFloat64()
	}
	d.spread(z, x)
	for i, y := range x {
		x[i] = d.mean[i] + float64(d.sigma*y)
	}
}

// spread computes y = A z.
func (d *distribution) spread(z, y []float64) {
	n := len(z)
	for i := range y {
		if d.diagonal {
			y[i] = d.a[i] * z[i]
		} else {
			y[i] = dense.Dot(d.a[i*n:i*n+i+1], z[:i+1])
		}
	}
}

var errCovariance = errors.New("evolution: the covariance of the candidates is no longer positive definite; use a larger population or more games per candidate")

// update moves the distribution. The parameter best contains the generation's draws, best candidate
// first. There must be at least as many draws as selection weights.
func (d *distribution) update(best [][]float64) error {
	n := len(d.mean)
	zw, yw, y := make([]float64, n), make([]float64, n), make([]float64, n)
	for k, w := range d.weights {
		dense.AddScaled(zw, w, best[k])
	}
	d.spread(zw, yw)
	dense.AddScaled(d.mean, d.sigma, yw)

	d.generations++
	// A^-1 yw is zw.
	dense.Scale(1-d.cs, d.ps)
	dense.AddScaled(d.ps, math.Sqrt(d.cs*(2-d.cs)*d.muEff), zw)
	length := dense.Norm(d.ps)
	fresh := math.Sqrt(1 - elementary.Pow(1-d.cs, float64(2*(d.generations+1))))
	stalled := length/fresh >= (1.4+2/float64(n+1))*d.chi // sigma is about to grow, so C does not need to grow
	dense.Scale(1-d.cc, d.pc)
	keep := 1 - d.c1 - d.cmu
	if stalled {
		keep += float64(d.c1 * d.cc * (2 - d.cc))
	} else {
		dense.AddScaled(d.pc, math.Sqrt(d.cc*(2-d.cc)*d.muEff), yw)
	}

	dense.Scale(keep, d.c)
	d.add(d.c1, d.pc)
	for k, w := range d.weights {
		d.spread(best[k], y)
		d.add(d.cmu*w, y)
	}
	d.sigma *= elementary.Exp(min(1, d.cs/d.ds*(length/d.chi-1)))
	return d.factor()
}

// follow moves the distribution towards the draws with the highest fitness. Among draws of equal
// fitness, earlier ones come first.
func (d *distribution) follow(z [][]float64, fitness []float64) error {
	order := list.Order(len(z), func(a, b int) int { return cmp.Compare(fitness[b], fitness[a]) })
	return d.update(list.Map(order, func(k int) []float64 { return z[k] }))
}

func (d *distribution) add(f float64, v []float64) {
	n := len(v)
	for i, x := range v {
		if d.diagonal {
			d.c[i] += float64(f * x * x)
		} else {
			dense.AddScaled(d.c[i*n:i*n+i+1], f*x, v[:i+1])
		}
	}
}

func (d *distribution) factor() error {
	n := len(d.mean)
	if d.diagonal {
		for i, x := range d.c {
			if !(x > 0) {
				return errCovariance
			}
			d.a[i] = math.Sqrt(x)
		}
		return nil
	}
	l := numeric.Cholesky(d.c, n, 0)
	if len(l.Columns) < n {
		return errCovariance
	}
	d.a = l.L
	return nil
}

func (d *distribution) persist(s *online.Snapshot) error {
	s.Floats(d.mean)
	s.Numbers(&d.sigma)
	s.Floats(d.c, d.pc, d.ps)
	s.Numbers(&d.generations)
	if !s.Reading() {
		return nil
	}
	return d.factor()
}

// These constants control the sample of random games from which the scales of weights are computed.
const (
	sampleEpisodes  = 100
	samplePositions = 20000 // no further episode starts once the sample has this many positions
	sampleFloor     = 0.1   // minimum spread, as a fraction of the largest value in the sample
)

// axes defines the coordinates of the search: the indices of the free weights, and the change in
// each of them that corresponds to a step of 1.
type axes struct {
	free  []int // indices of weights; the bias has the last index
	scale []float64
}

// newAxes computes the axes for the weights that are not frozen in t. A step of 1 along all axes
// changes the weighted sum of a typical position by about one unit. The unit is the standard
// deviation of the outcomes of random games or, if the model has a link, the unit of the link. The
// bias is free only in single-player games, where values are compared with a known score.
func newAxes(t *online.Task) *axes {
	x, frozen := &axes{}, t.FrozenPlaces()
	for i, keeps := range frozen {
		if !keeps && (i < t.Model.Len() || t.Game.Base().Players == 1) {
			x.free = append(x.free, i)
		}
	}
	spreads, unit := sample(t)
	unit /= math.Sqrt(float64(len(x.free)))
	for _, i := range x.free {
		x.scale = append(x.scale, unit/spreads[i])
	}
	return x
}

// sample plays random games. The result spreads contains the standard deviation of each feature
// over the positions at which players move, but at least sampleFloor times the feature's largest
// value. It is 1 for the bias and for features that are always 0. The result unit is the standard
// deviation of the outcomes, or the unit of the link.
func sample(t *online.Task) (spreads []float64, unit float64) {
	n := t.Model.Len()
	sum, squares, largest := make([]float64, n), make([]float64, n), make([]float64, n)
	var outcomes, outcomes2, ended, positions float64
	var x models.Vector
	zero := search.Zero(t.Game)
	for e := 0; e < sampleEpisodes && positions < samplePositions; e++ {
		dice := &play.Dice{Random: t.RandomAt(-1, e)}
		g := online.NewGame(t)
		g.Luck = dice
		for g.Start(dice.Random); g.Next(); g.Play(dice.Uniform(g.State)) {
			x = features.ExtractFirst(t.Set, game.Base(g.State), x[:0])
			positions++
			for _, f := range x {
				v := float64(f.Value)
				sum[f.Index] += v
				squares[f.Index] += float64(v * v)
				largest[f.Index] = max(largest[f.Index], math.Abs(v))
			}
		}
		u := utility(g, zero)
		outcomes += u
		outcomes2 += float64(u * u)
		ended++
	}
	spreads = make([]float64, n+1)
	spreads[n] = 1
	for i := range n {
		spreads[i] = cmp.Or(max(deviation(sum[i], squares[i], positions), sampleFloor*largest[i]), 1)
	}
	if scale, linked := t.Model.Link.TanhScale(); linked {
		return spreads, 1 / scale
	}
	if unit = deviation(outcomes, outcomes2, ended); unit == 0 {
		unit = 1
	}
	return spreads, unit
}

func deviation(sum, squares, n float64) float64 {
	mean := sum / n
	return math.Sqrt(max(0, squares/n-float64(mean*mean)))
}

// utility returns player 0's utility in an episode that has ended. If the episode was cut off, it
// is the current score, or the middle of the range in games without a score.
func utility(g *online.Game, zero search.Evaluator) float64 {
	if g.Truncated() {
		return zero.Evaluate(game.Base(g.State), 0)
	}
	return game.Base(g.State).Utility(0)
}
