package equilibrium

import (
	"context"
	"fmt"
	"slices"

	"plyfit/game"
)

// Solve returns an approximate equilibrium of a two-player zero-sum game. It runs the given number
// of iterations of a [Solver].
func (t *Tree) Solve(ctx context.Context, iterations int) (*Strategy, error) {
	c, err := t.Solver()
	if err != nil {
		return nil, err
	}
	for range iterations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.Iterate()
	}
	return c.Average(), nil
}

// A Solver runs CFR+ (Tammelin, Solving large imperfect information games using CFR+, 2014). This
// is counterfactual regret minimisation in which negative regrets are set to 0, the players
// alternate, and iteration t has weight t in the average strategy. In practice, exploitability
// decreases roughly in proportion to 1/iterations. A Solver uses no random numbers.
type Solver struct {
	*Tree
	done  int         // number of iterations
	now   [][]float64 // current strategy
	total [][]float64 // regrets, at least 0
	gain  [][]float64 // regrets of the current iteration
	sum   [][]float64 // sum of the strategies, weighted by iteration and by the player's own reach probability
}

// Solver returns a new Solver. It returns an error unless the game is a two-player zero-sum game.
func (t *Tree) Solver() (*Solver, error) {
	if t.game.Players != 2 || t.game.Sum != game.Zero {
		return nil, fmt.Errorf("solving %s: want a two-player zero-sum game", t.game.Spec)
	}
	return &Solver{Tree: t, now: t.uniform(), total: t.zeros(), gain: t.zeros(), sum: t.zeros()}, nil
}

// Iterate improves each player's strategy once. It returns player 0's expected utility before the
// improvement.
func (c *Solver) Iterate() float64 {
	c.done++
	value := c.iterate(0, float64(c.done))
	c.iterate(1, float64(c.done))
	return value
}

// Average returns the average strategy, which converges to an equilibrium.
func (c *Solver) Average() *Strategy {
	s := &Strategy{tree: c.Tree}
	for _, sum := range c.sum {
		probs := slices.Clone(sum)
		normalise(probs)
		s.probs = append(s.probs, probs)
	}
	return s
}

// Decisions returns the number of positions at which a player decides.
func (t *Tree) Decisions() (n int) {
	for i := range t.sets {
		n += len(t.sets[i].nodes)
	}
	return n
}

// State returns the complete state of the solver: the number of iterations, and the numbers on
// which Iterate depends. The results share memory with c, so the caller can save and restore the
// state through them.
func (c *Solver) State() (done *int, numbers [][]float64) {
	return &c.done, slices.Concat(c.now, c.total, c.sum)
}

// zeros returns a slice of zeros for each information set, with one zero per move.
func (t *Tree) zeros() [][]float64 {
	out := make([][]float64, len(t.sets))
	for i := range out {
		out[i] = make([]float64, len(t.sets[i].moves))
	}
	return out
}

// iterate improves player p's strategy. It returns p's expected utility before the improvement.
func (c *Solver) iterate(p game.Player, weight float64) float64 {
	value := c.descend(0, p, 1, 1, weight)
	for i := range c.sets {
		if c.sets[i].player != p {
			continue
		}
		for k := range c.total[i] {
			c.total[i][k] = max(0, c.total[i][k]+c.gain[i][k])
			c.gain[i][k] = 0
			c.now[i][k] = c.total[i][k]
		}
		normalise(c.now[i])
	}
	return value
}

// descend returns player p's expected utility below a node. The parameter own is the probability
// that p's moves lead to the node, and others is the probability that nature's and the other
// player's moves do.
func (c *Solver) descend(at int32, p game.Player, own, others, weight float64) (value float64) {
	n := &c.nodes[at]
	switch {
	case n.turn == game.Nobody:
		return n.utility[p]
	case n.turn == game.Chance:
		for k, child := range n.children {
			value += float64(n.probs[k] * c.descend(child, p, own, others*n.probs[k], weight))
		}
		return value
	case n.turn != p:
		for k, child := range n.children {
			if q := c.now[n.set][k]; q > 0 {
				value += float64(q * c.descend(child, p, own, others*q, weight))
			}
		}
		return value
	}
	var room [16]float64
	found := room[:0]
	for k, child := range n.children {
		q := c.now[n.set][k]
		v := c.descend(child, p, own*q, others, weight)
		found = append(found, v)
		value += float64(q * v)
		c.sum[n.set][k] += float64(weight * own * q)
	}
	for k, v := range found {
		c.gain[n.set][k] += float64(others * (v - value))
	}
	return value
}

// normalise divides the weights by their sum. If all weights are 0, it makes them equal.
func normalise(weights []float64) {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	for k := range weights {
		if sum > 0 {
			weights[k] /= sum
		} else {
			weights[k] = 1 / float64(len(weights))
		}
	}
}
