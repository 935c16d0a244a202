// Package opponent fits a model of a player to the moves that were played.
//
//  1. [Choices.Add] takes in a decision: the value of each move by an evaluation, and which was played.
//  2. [Choices.Fit] finds the temperature and the share of random moves by maximum likelihood.
//
// The model is [policy.Softmax]: P(move) = (1-e) exp(v/T) / sum exp(v_i/T) + e/n, with v in parts of
// the range of utilities.
package opponent

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"plyfit/internal/elementary"
)

// Choices are decisions of one player, or of one kind of players.
type Choices struct {
	values []float64 // of all moves, decision by decision, less the decision's largest
	list   []choice
}

type choice struct {
	first, n, chosen int
	game             int
}

// Add takes in a decision of a game: values are those of its moves in the mover's view, in parts of
// the range of utilities, and chosen is the index of the one played. A decision with one move says
// nothing and is left out. Decisions of a game are not independent, so games are numbered.
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

// Len is how many decisions were taken in.
func (c *Choices) Len() int { return len(c.list) }

// Estimate is a parameter with its 95% interval, by errors clustered by games.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Fitted is what [Choices.Fit] finds.
type Fitted struct {
	Temperature Estimate `json:"temperature"` // in parts of the range of utilities
	Random      Estimate `json:"random"`      // the share of moves drawn uniformly
	LogLoss     float64  `json:"log_loss"`    // -log P of the move played, per decision, in nats
	Uniform     float64  `json:"uniform"`     // the same of uniform play
	Decisions   int      `json:"decisions"`
	Games       int      `json:"games"`
}

// point are the parameters on scales without bounds: log 1/T and the log odds of e.
type point [2]float64

// limits keep the search where the likelihood can be computed: T from 1e-6 to 1e4 and e from 1e-6.
var limits = [2][2]float64{{-9.2, 13.8}, {-13.8, 13.8}}

// score is the log likelihood at x and its gradient, summed over each game into games, if not nil.
func (c *Choices) score(x point, games map[int]point) (sum float64, gradient point) {
	b, e := elementary.Exp(x[0]), 1/(1+elementary.Exp(-x[1]))
	for _, d := range c.list {
		total, mean := 0.0, 0.0
		values := c.values[d.first : d.first+d.n]
		for _, v := range values {
			p := elementary.Exp(b * v)
			total += p
			mean += float64(p * v)
		}
		mean /= total
		chosen := values[d.chosen]
		p, uniform := elementary.Exp(b*chosen)/total, 1/float64(d.n)
		q := float64((1-e)*p) + float64(e*uniform)
		g := point{b * (1 - e) * p * (chosen - mean) / q, e * (1 - e) * (uniform - p) / q}
		sum += elementary.Log(q)
		gradient[0] += g[0]
		gradient[1] += g[1]
		if games != nil {
			one := games[d.game]
			games[d.game] = point{one[0] + g[0], one[1] + g[1]}
		}
	}
	return sum, gradient
}

// hessian is the second derivative of the log likelihood, by differences of the gradient.
func (c *Choices) hessian(x point) (h [2][2]float64) {
	const step = 1e-4
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
	h[0][1] = (h[0][1] + h[1][0]) / 2
	h[1][0] = h[0][1]
	return h
}

// solve is m^-1 v; ok is false where m is singular.
func solve(m [2][2]float64, v point) (x point, ok bool) {
	det := float64(m[0][0]*m[1][1]) - float64(m[0][1]*m[1][0])
	if !(math.Abs(det) > 1e-300) {
		return x, false
	}
	return point{(float64(v[0]*m[1][1]) - float64(v[1]*m[0][1])) / det, (float64(v[1]*m[0][0]) - float64(v[0]*m[1][0])) / det}, true
}

// Fit finds the temperature and the share of random moves by maximum likelihood: from the best
// point of a coarse grid by Newton's method, with gradient steps where the likelihood is not
// concave. Intervals are by the sandwich of White (1982), clustered by games. Fewer than ten
// decisions, or ones that do not determine the parameters, are an error.
func (c *Choices) Fit() (Fitted, error) {
	if len(c.list) < 10 {
		return Fitted{}, fmt.Errorf("opponent: %d decisions with a choice: want at least 10", len(c.list))
	}
	x, best := point{}, math.Inf(-1)
	for b := -2.0; b <= 12; b += 2 {
		for e := -5.0; e <= 3; e += 2 {
			if v, _ := c.score(point{b, e}, nil); v > best {
				x, best = point{b, e}, v
			}
		}
	}
	for range 100 {
		_, g := c.score(x, nil)
		h := c.hessian(x)
		step, ok := solve(h, g)
		step[0], step[1] = -step[0], -step[1]
		if concave := h[0][0] < 0 && h[0][0]*h[1][1] > h[0][1]*h[0][1]; !ok || !concave {
			size := math.Sqrt(float64(g[0]*g[0]) + float64(g[1]*g[1]))
			step = point{g[0] / size, g[1] / size}
		}
		scale, moved := 1.0, false
		for ; scale > 1e-8; scale /= 2 {
			next := point{x[0] + float64(scale*step[0]), x[1] + float64(scale*step[1])}
			for i, l := range limits {
				next[i] = min(max(next[i], l[0]), l[1])
			}
			if v, _ := c.score(next, nil); v > best {
				moved = max(math.Abs(next[0]-x[0]), math.Abs(next[1]-x[1])) > 1e-7
				x, best = next, v
				break
			}
		}
		if !moved {
			break
		}
	}
	return c.report(x, best)
}

func (c *Choices) report(x point, likelihood float64) (f Fitted, err error) {
	games := map[int]point{}
	c.score(x, games)
	var meat [2][2]float64
	for _, g := range games {
		for i := range g {
			for j := range g {
				meat[i][j] += float64(g[i] * g[j])
			}
		}
	}
	h := c.hessian(x)
	a, ok := solve(h, point{1, 0})
	b, _ := solve(h, point{0, 1})
	if !ok {
		return f, errors.New("opponent: the moves do not determine a temperature and a share of random moves: want more games")
	}
	variance := func(v point) (sum float64) {
		for i := range v {
			for j := range v {
				sum += float64(v[i] * meat[i][j] * v[j])
			}
		}
		return sum * float64(len(games)) / float64(max(1, len(games)-1))
	}
	const normal = 1.959964
	between := func(at, error float64, of func(float64) float64) Estimate {
		low, high := of(at-float64(normal*error)), of(at+float64(normal*error))
		return Estimate{of(at), min(low, high), max(low, high)}
	}
	n := float64(len(c.list))
	f = Fitted{LogLoss: -likelihood / n, Decisions: len(c.list), Games: len(games)}
	f.Temperature = between(x[0], math.Sqrt(variance(a)), func(x float64) float64 { return elementary.Exp(-x) })
	f.Random = between(x[1], math.Sqrt(variance(b)), func(x float64) float64 { return 1 / (1 + elementary.Exp(-x)) })
	for _, d := range c.list {
		f.Uniform += elementary.Log(float64(d.n)) / n
	}
	return f, nil
}
