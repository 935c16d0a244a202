package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"plyfit/game"
)

// Policies are asked at decisions and, in games of one, at the base game's
// chance nodes: there they play for the opponent of the one whose luck it is,
// as a ghost does. They leave the position as they found it and belong to one
// goroutine each.

// Uniform plays every move with the same probability.
type Uniform struct{}

var _ game.Policy = Uniform{}

// Probs implements [game.Policy].
func (Uniform) Probs(_ game.State, moves []game.Move, dst []float64) []float64 {
	for range moves {
		dst = append(dst, 1/float64(len(moves)))
	}
	return dst
}

// AgentPolicy plays what an agent would play: that move with probability 1.
// The agent is begun with the same seed before every decision, so that its
// decision follows from the position alone; it is simulated once a position
// and remembered by the position's hash.
//
// At a chance node the position is shown to the agent as one of a hostile
// world ([game.NewAdversary]), in which it is itself the player to move.
type AgentPolicy struct {
	// Split shares the probability among all of Result.Best, where the agent
	// completes them (its option Complete).
	Split bool
	// Seed is what the agent is begun with.
	Seed uint64
	// Remember is how many decisions are kept; 0: 4,096. A new decision takes
	// the place of an old one whose hash has the same lowest bits.
	Remember int

	agent    Agent
	players  int
	memory   []decision
	hostile  *game.Adversary // around inside
	inside   game.State
	searches int64
}

type decision struct {
	hash  uint64
	moves []game.Move // shared evenly; none: the slot is free
}

var _ game.Policy = (*AgentPolicy)(nil)

// FromAgent makes a policy of an agent for positions of g, or of g without its
// wrappers. The agent must not be used for anything else meanwhile.
func FromAgent(a Agent, g *game.Game) *AgentPolicy {
	players := g.Players
	if hostile, ok := game.As[*game.Adversary](g.New()); ok && hostile.Solo() {
		players = 1 // the second one is nature
	}
	return &AgentPolicy{agent: a, players: players}
}

// PolicyOf is the policy by which an agent plays: for agents that draw their
// moves from a policy that very policy, for a mixture of agents ([NewMixAgent])
// the mixture of their policies, for all others [FromAgent].
func PolicyOf(a Agent, g *game.Game) game.Policy {
	switch a := a.(type) {
	case *sampler:
		return a.policy
	case *mixAgent:
		mix := &Mix{weights: a.weights}
		for _, part := range a.agents {
			mix.policies = append(mix.policies, PolicyOf(part, g))
		}
		return mix
	}
	return FromAgent(a, g)
}

// Probs implements [game.Policy]. It panics where the agent has no answer, or
// one that is not among the moves.
func (p *AgentPolicy) Probs(s game.State, moves []game.Move, dst []float64) []float64 {
	at := len(dst)
	for range moves {
		dst = append(dst, 0)
	}
	chosen := p.decide(s)
	for _, c := range chosen {
		found := false
		for i, m := range moves {
			if m == c {
				dst[at+i] += 1 / float64(len(chosen))
				found = true
				break
			}
		}
		if !found {
			panic(fmt.Sprintf("search: the agent of a policy answers %s with a move that is not listed", s))
		}
	}
	return dst
}

// decide is what the agent plays at s.
func (p *AgentPolicy) decide(s game.State) []game.Move {
	if p.memory == nil {
		size := 1
		for want := max(p.Remember, 0); size < want || want == 0 && size < 1<<12; {
			size *= 2
		}
		p.memory = make([]decision, size)
	}
	hash := s.Hash()
	slot := &p.memory[hash&uint64(len(p.memory)-1)]
	if len(slot.moves) > 0 && slot.hash == hash {
		return slot.moves
	}
	p.searches++
	p.agent.Begin(p.Seed)
	r, err := p.agent.Search(context.Background(), p.stage(s))
	if err != nil {
		panic(fmt.Sprintf("search: the agent of a policy has no answer: %v", err))
	}
	slot.hash = hash
	slot.moves = append(slot.moves[:0], r.Move)
	if p.Split && len(r.Best) > 0 {
		slot.moves = append(slot.moves[:0], r.Best...)
	}
	return slot.moves
}

// stage is s with a player to move.
func (p *AgentPolicy) stage(s game.State) game.State {
	if s.Turn() != game.Chance {
		return s
	}
	b := game.Base(s)
	if b.Turn() != game.Chance || p.players > 2 {
		panic("search: an agent's policy is asked at a slip or at nature's node of a game of three")
	}
	if p.inside != b {
		p.inside, p.hostile = b, game.NewAdversary(b, p.players)
	}
	return p.hostile
}

// Mix is a convex combination of policies.
type Mix struct {
	weights  []float64
	policies []game.Policy
	scratch  []float64
}

var _ game.Policy = (*Mix)(nil)

// NewMix plays as policy i with probability weights[i]. The weights must not
// be negative and add up to 1 within 1e-9.
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
		return fmt.Errorf("mix: the weights add up to %v: want 1", sum)
	}
	return nil
}

// Probs implements [game.Policy].
func (m *Mix) Probs(s game.State, moves []game.Move, dst []float64) []float64 {
	at := len(dst)
	for range moves {
		dst = append(dst, 0)
	}
	for i, p := range m.policies {
		if m.weights[i] == 0 {
			continue
		}
		m.scratch = p.Probs(s, moves, m.scratch[:0])
		for k, q := range m.scratch {
			dst[at+k] += float64(m.weights[i] * q)
		}
	}
	return dst
}

// NewSampler is an agent that draws its moves from a policy, by the seed given
// to Begin. It has no opinion on the position: Values is nil, Nodes 0.
func NewSampler(p game.Policy) Agent {
	a := &sampler{policy: p}
	a.Begin(0)
	return a
}

type sampler struct {
	policy game.Policy
	rng    *rand.Rand
	moves  []game.Move
	probs  []float64
}

var _ Agent = (*sampler)(nil)

func (a *sampler) Begin(seed uint64) { a.rng = newRand(seed) }

func (a *sampler) Search(_ context.Context, s game.State) (Result, error) {
	r := Result{Move: game.NoMove}
	if s.Turn() < 0 {
		return r, nil
	}
	a.moves = s.Moves(a.moves[:0])
	a.probs = a.policy.Probs(s, a.moves, a.probs[:0])
	r.Move = a.moves[draw(a.probs, a.rng)]
	r.PV = []game.Move{r.Move}
	return r, nil
}

// draw is an index drawn with the probabilities probs.
func draw(probs []float64, rng *rand.Rand) int {
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

// NewMixAgent is an agent that lets agent i choose the move with probability
// weights[i], drawn anew for every move by the seed given to Begin. The weights
// must not be negative and add up to 1 within 1e-9.
func NewMixAgent(weights []float64, agents []Agent) (Agent, error) {
	if err := checkWeights(weights, len(agents)); err != nil {
		return nil, err
	}
	a := &mixAgent{weights: weights, agents: agents}
	a.Begin(0)
	return a, nil
}

type mixAgent struct {
	weights []float64
	agents  []Agent
	rng     *rand.Rand
}

var _ Agent = (*mixAgent)(nil)

// Close closes the agents mixed.
func (a *mixAgent) Close() error {
	for _, part := range a.agents {
		Close(part)
	}
	return nil
}

func (a *mixAgent) Begin(seed uint64) {
	a.rng = newRand(seed)
	for i, part := range a.agents {
		part.Begin(game.Seed(seed, game.StreamPart, uint64(i)))
	}
}

func (a *mixAgent) Search(ctx context.Context, s game.State) (Result, error) {
	return a.agents[draw(a.weights, a.rng)].Search(ctx, s)
}
