// Package opponent fits probabilistic models of a player to recorded moves.
//
// A model plays each move with probability
//
//	P(move) = (1-e) exp(v/T) / sum_i exp(v_i/T) + e/n
//
// where v is the value of the move as a fraction of the game's utility range, T is the temperature,
// e is the fraction of random moves and n is the number of legal moves. [policy.Softmax] plays
// according to such a model.
//
//  1. [Choices.Add] records a decision: the value of each move and the move played.
//  2. [Choices.Fit] estimates T and e by maximum likelihood.
//  3. [Learn] fits the weights of the evaluation as well, and tests the model on held-out decisions.
package opponent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/dense"
	"plyfit/internal/elementary"
	"plyfit/internal/list"
	"plyfit/learn/internal/numeric"
	"plyfit/search"
)

// Choices is a sample of decisions by one player, or by similar players. The zero value is an empty
// sample.
type Choices struct {
	values []float64 // values of all moves, one decision after another, minus the largest value in the decision
	list   []choice
}

// A choice is one decision. The values of its moves are values[first:first+n] in [Choices].
type choice struct {
	first, n, chosen int
	game             int
}

// Add records a decision in the given game. The slice values contains the value of each legal move
// to the mover, as a fraction of the utility range, and chosen is the index of the move played. Add
// ignores decisions with fewer than two moves.
//
// Decisions in the same game are not independent, so [Choices.Fit] clusters them by game number.
func (c *Choices) Add(game int, values []float64, chosen int) {
	if len(values) < 2 {
		return
	}
	c.list = append(c.list, choice{len(c.values), len(values), chosen, game})
	most := slices.Max(values)
	for _, v := range values {
		c.values = append(c.values, v-most)
	}
}

// Play records the decisions that agent makes in games against itself. The values come from greedy,
// whose results must contain the value of every legal move in Root.
func (c *Choices) Play(ctx context.Context, g *game.Game, agent, greedy search.Agent, games int, seed uint64) error {
	for k := range games {
		agent.Begin(game.Seed(seed, 0, uint64(k)))
		s := g.New()
		e := play.Episode{Luck: &play.Dice{Random: rand.New(rand.NewPCG(seed, uint64(k)))}}
		for e.Begin(s, 0, play.NoLimit); e.Next(); {
			m, err := search.Move(ctx, agent, s)
			if err != nil {
				return err
			}
			found, err := greedy.Search(ctx, s)
			if err != nil {
				return err
			}
			values := list.Map(found.Root, func(r search.RootMove) float64 { return r.Value / (g.Max - g.Min) })
			c.Add(k, values, slices.IndexFunc(found.Root, func(r search.RootMove) bool { return r.Move == m }))
			e.Play(m)
		}
	}
	return nil
}

// Fitted is the result of [Choices.Fit]. Its intervals are clustered by game.
type Fitted struct {
	Temperature stats.Estimate `json:"temperature"` // as a fraction of the utility range
	Random      stats.Estimate `json:"random"`      // fraction of moves drawn uniformly
	LogLoss     float64        `json:"log_loss"`    // mean of -log P(move played), in nats
	Uniform     float64        `json:"uniform"`     // value that LogLoss would have if all moves were equally likely
	Decisions   int            `json:"decisions"`
	Games       int            `json:"games"`
}

// A point holds the two parameters on unbounded scales: log(1/T) and the log odds of e.
type point [2]float64

// rates returns b = 1/T and e.
func (x point) rates() (b, e float64) {
	return elementary.Exp(x[0]), 1 / (1 + elementary.Exp(-x[1]))
}

// limits clamps the parameters so that the likelihood can be computed: T from 1e-6 to 1e4, and e
// from 1e-6 to 1-1e-6.
var limits = [2][2]float64{{-9.2, 13.8}, {-13.8, 13.8}}

// weigh replaces the values of the moves with their softmax probabilities at temperature 1/b. It
// returns log q, where q is the probability of the chosen move if e is the fraction of random
// moves. The result soft is the fraction of q that comes from the softmax. The last result is the
// gradient of log q with respect to log b and the log odds of e.
func weigh(values []float64, chosen int, b, e float64) (logQ, soft float64, g point) {
	most, total, mean := slices.Max(values), 0.0, 0.0
	better := values[chosen] - most
	for i, v := range values {
		values[i] = elementary.Exp(b * (v - most))
		total += values[i]
		mean += float64(values[i] * (v - most))
	}
	for i := range values {
		values[i] /= total
	}
	p, uniform := values[chosen], 1/float64(len(values))
	q := float64((1-e)*p) + float64(e*uniform)
	soft = (1 - e) * p / q
	return elementary.Log(q), soft, point{b * soft * (better - mean/total), e * (1 - e) * (uniform - p) / q}
}

// score returns the log likelihood at x and its gradient. If games is not nil, score also adds each
// game's gradient to games.
func (c *Choices) score(x point, games map[int]point) (sum float64, gradient point) {
	b, e := x.rates()
	var p []float64
	for _, d := range c.list {
		p = append(p[:0], c.values[d.first:d.first+d.n]...)
		logQ, _, g := weigh(p, d.chosen, b, e)
		sum += logQ
		gradient[0] += g[0]
		gradient[1] += g[1]
		if games != nil {
			one := games[d.game]
			games[d.game] = point{one[0] + g[0], one[1] + g[1]}
		}
	}
	return sum, gradient
}

// hessian returns the second derivatives of the log likelihood at x, computed as central
// differences of the gradient.
func (c *Choices) hessian(x point) []float64 {
	const step = 1e-4
	var h [2][2]float64
	for i := range x {
		up, down := x, x
		up[i] += step
		down[i] -= step
		_, above := c.score(up, nil)
		_, below := c.score(down, nil)
		for j := range x {
			h[i][j] = (above[j] - below[j]) / (2 * step)
		}
	}
	across := (h[0][1] + h[1][0]) / 2
	return []float64{h[0][0], across, across, h[1][1]}
}

// Fit estimates the temperature and the fraction of random moves by maximum likelihood, starting
// from the best point of a coarse grid.
//
// The 95% intervals use White's sandwich covariance (1982), clustered by game, and the t
// distribution with one degree of freedom less than the number of games. If the estimated fraction
// of random moves is close to 0, its interval is instead computed from the likelihood at the
// estimated temperature.
//
// Fit returns an error if there are fewer than ten decisions or if the decisions do not determine
// both parameters.
func (c *Choices) Fit() (Fitted, error) {
	if len(c.list) < 10 {
		return Fitted{}, fmt.Errorf("opponent: %d decisions with a choice of moves; want at least 10", len(c.list))
	}
	x, best := point{}, math.Inf(-1)
	for b := -2.0; b <= 12; b += 2 {
		for e := -5.0; e <= 3; e += 2 {
			if v, _ := c.score(point{b, e}, nil); v > best {
				x, best = point{b, e}, v
			}
		}
	}
	value := func(at, grad []float64) (float64, error) {
		v, g := c.score(point(at), nil)
		n := float64(len(c.list))
		grad[0], grad[1] = -g[0]/n, -g[1]/n
		return -v / n, nil
	}
	if err := minimise(x[:], 100, value); err != nil {
		return Fitted{}, err
	}
	for i, l := range limits {
		x[i] = min(max(x[i], l[0]), l[1])
	}
	best, _ = c.score(x, nil)
	return c.report(x, best)
}

// minimise moves x to a minimum of the given function, as far as rounding errors allow.
func minimise(x []float64, iterations int, value func(x, grad []float64) (float64, error)) error {
	err := (&numeric.QuasiNewton{Value: value, Iterations: iterations, Pairs: 8, Step: func() {}}).Minimise(x)
	if err == numeric.ErrFloor {
		return nil
	}
	return err
}

func (c *Choices) report(x point, likelihood float64) (f Fitted, err error) {
	games := map[int]point{}
	c.score(x, games)
	h, a, b := dense.Factor(c.hessian(x), 2), point{1, 0}, point{0, 1}
	if !h.Solve(a[:]) || !h.Solve(b[:]) {
		return f, errors.New("opponent: the moves do not determine both a temperature and a fraction of random moves; add more games")
	}
	freedom := float64(max(1, len(games)-1))
	t := stats.TQuantile95(freedom)
	between := func(at float64, v point, of func(float64) float64) stats.Estimate {
		variance := 0.0
		for _, k := range slices.Sorted(maps.Keys(games)) {
			along := float64(v[0]*games[k][0]) + float64(v[1]*games[k][1])
			variance += float64(along * along)
		}
		half := float64(t * math.Sqrt(variance*float64(len(games))/freedom))
		low, high := of(at-half), of(at+half)
		return stats.Estimate{Value: of(at), Known: true, Low: min(low, high), High: max(low, high), Bounded: true}
	}
	n := float64(len(c.list))
	f = Fitted{LogLoss: -likelihood / n, Decisions: len(c.list), Games: len(games)}
	f.Temperature = between(x[0], a, func(x float64) float64 { return elementary.Exp(-x) })
	f.Random = between(x[1], b, func(x float64) float64 { return 1 / (1 + elementary.Exp(-x)) })
	if low, high := x[1], 0.0; low < -7 { // no random move was observed
		for range 50 {
			middle := (low + high) / 2
			if v, _ := c.score(point{x[0], middle}, nil); v < likelihood-float64(t*t/2) {
				high = middle
			} else {
				low = middle
			}
		}
		f.Random.Low, f.Random.High = 0, 1/(1+elementary.Exp(-high))
	}
	for _, d := range c.list {
		f.Uniform += elementary.Log(float64(d.n)) / n
	}
	return f, nil
}
