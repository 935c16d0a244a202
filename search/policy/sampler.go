package policy

import (
	"context"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/search"
)

// NewRandom is an agent that draws uniformly from the legal moves, by the seed
// given to Begin. It has no opinion on the position: Values is nil, Nodes 0.
func NewRandom() search.Agent { return NewSampler(Uniform{}) }

// NewSampler is an agent that draws its moves from a policy, by the seed given
// to Begin. It has no opinion on the position: Values is nil, Nodes 0.
func NewSampler(p game.Policy) search.Agent {
	return NewFinder(func(context.Context) (game.Policy, error) { return p, nil })
}

// NewFinder is [NewSampler] of a policy found by the agent's first search, under its context.
func NewFinder(find func(context.Context) (game.Policy, error)) search.Agent {
	a := &sampler{find: find}
	a.Begin(0)
	return a
}

type sampler struct {
	find  func(context.Context) (game.Policy, error)
	rng   *rand.Rand
	moves []game.Move
	probs []float64
}

var _ search.Agent = (*sampler)(nil)

func (a *sampler) Begin(seed uint64) { a.rng = rand.New(rand.NewPCG(seed, game.Mix(seed))) }

func (a *sampler) Search(ctx context.Context, s game.State) (search.Result, error) {
	r := search.Result{Move: game.NoMove}
	if s.Turn() < 0 {
		return r, nil
	}
	p, err := a.find(ctx)
	if err != nil {
		return r, err
	}
	a.moves = s.Moves(a.moves[:0])
	a.probs = p.Probs(s, a.moves, a.probs[:0])
	r.Move = a.moves[Draw(a.probs, a.rng)]
	r.PV = []game.Move{r.Move}
	return r, nil
}

// Draw is an index drawn with the probabilities probs.
func Draw(probs []float64, rng *rand.Rand) int {
	x := rng.Float64()
	last := 0
	for i, p := range probs {
		if p <= 0 {
			continue
		}
		if x < p {
			return i
		}
		x -= p
		last = i // what rounding leaves over falls to the last possible one
	}
	return last
}
