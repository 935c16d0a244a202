package policy

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/search"
)

// Mix is a convex combination of policies.
type Mix struct {
	weights  []float64
	policies []game.Policy
	scratch  []float64
}

var _ game.Interruptible = (*Mix)(nil)

// NewMix returns a policy that follows policies[i] with probability weights[i]. The weights must
// not be negative, and their sum must not differ from 1 by more than 1e-9.
func NewMix(weights []float64, policies []game.Policy) (*Mix, error) {
	if err := checkWeights(weights, len(policies)); err != nil {
		return nil, err
	}
	return &Mix{weights: weights, policies: policies}, nil
}

func checkWeights(weights []float64, parts int) error {
	if len(weights) != parts || parts == 0 {
		return fmt.Errorf("mix: %d weights for %d parts", len(weights), parts)
	}
	sum := 0.0
	for _, w := range weights {
		if !(w >= 0) {
			return fmt.Errorf("mix: weight %v: want a number from 0 to 1", w)
		}
		sum += w
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return fmt.Errorf("mix: the weights sum to %v; want 1", sum)
	}
	return nil
}

func (m *Mix) Probs(s game.State, moves []game.Move, dst []float64) []float64 {
	dst, err := m.ProbsWithin(context.Background(), s, moves, dst)
	if err != nil {
		panic(fmt.Sprintf("policy: a part of a mixture failed: %v", err))
	}
	return dst
}

func (m *Mix) ProbsWithin(ctx context.Context, s game.State, moves []game.Move, dst []float64) ([]float64, error) {
	at := len(dst)
	dst = append(dst, make([]float64, len(moves))...)
	for i, p := range m.policies {
		if m.weights[i] == 0 {
			continue
		}
		var err error
		if m.scratch, err = game.ProbsWithin(ctx, p, s, moves, m.scratch[:0]); err != nil {
			return dst[:at], err
		}
		for k, q := range m.scratch {
			dst[at+k] += float64(m.weights[i] * q)
		}
	}
	return dst, nil
}

// NewMixAgent returns an agent that lets agents[i] choose the move with probability weights[i]. A
// new agent is drawn for each move, using the seed given to Begin. The weights must not be
// negative, and their sum must not differ from 1 by more than 1e-9.
func NewMixAgent(weights []float64, agents []search.Agent) (search.Agent, error) {
	if err := checkWeights(weights, len(agents)); err != nil {
		return nil, err
	}
	a := &mixAgent{weights: weights, agents: agents}
	a.Begin(0)
	return a, nil
}

type mixAgent struct {
	weights []float64
	agents  []search.Agent
	rng     *rand.Rand
}

var _ search.Agent = (*mixAgent)(nil)

// Close closes the agents of the mixture.
func (a *mixAgent) Close() error {
	for _, part := range a.agents {
		search.Close(part)
	}
	return nil
}

func (a *mixAgent) Start(ctx context.Context) error {
	for _, part := range a.agents {
		if err := search.Start(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

func (a *mixAgent) Begin(seed uint64) {
	a.rng = rand.New(rand.NewPCG(seed, game.Mix(seed)))
	for i, part := range a.agents {
		part.Begin(game.Seed(seed, game.StreamPart, uint64(i)))
	}
}

func (a *mixAgent) Search(ctx context.Context, s game.State) (search.Result, error) {
	return a.agents[Draw(a.weights, a.rng)].Search(ctx, s)
}
