// Package policy implements policies, which assign probabilities to moves: the uniform policy, the
// policy of an agent, and mixtures. It also implements agents that draw their moves from a policy.
//
// A policy is called at decisions. In single-player games it is also called at the base game's
// chance nodes, where it plays for an opponent such as a ghost. A policy leaves the position
// unchanged. It must not be used by several goroutines at the same time.
package policy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"plyfit/game"
	"plyfit/search"
)

// Uniform plays every move with the same probability.
type Uniform struct{}

var _ game.Policy = Uniform{}

func (Uniform) Probs(_ game.State, moves []game.Move, dst []float64) []float64 {
	for range moves {
		dst = append(dst, 1/float64(len(moves)))
	}
	return dst
}

// Simulated is a policy that plays an agent's move with probability 1. It calls the agent's Begin
// method with the same seed before every decision, so the decision depends only on the position.
// Decisions are stored under the position's hash, so that each position is normally searched only
// once.
//
// At a chance node the agent receives the position as part of an adversarial world
// ([game.NewAdversary]), in which the agent is to move.
type Simulated struct {
	// Split divides the probability equally among the moves in Result.Best. The agent's option
	// Complete must be set.
	Split bool
	// Remember is the number of stored decisions, rounded up to a power of two; 0 means 4,096. A
	// new decision replaces an old one whose hash has the same low bits.
	Remember int

	agent   search.Agent
	players int
	memory  []decision
	hostile *game.Adversary // wraps inside
	inside  game.State
}

type decision struct {
	hash  uint64
	moves []game.Move // moves that have equal probabilities; empty if the slot is free
}

var _ game.Interruptible = (*Simulated)(nil)

// FromAgent returns the policy of an agent for positions of g, or of g without its wrappers. The
// agent must not be used for anything else while the policy is in use.
func FromAgent(a search.Agent, g *game.Game) *Simulated {
	players := g.Players
	if hostile, ok := game.As[*game.Adversary](g.New()); ok && hostile.Solo() {
		players = 1 // the second player is nature
	}
	return &Simulated{agent: a, players: players}
}

// Of returns the policy by which an agent plays. If the agent draws its moves from a policy, Of
// returns that policy. For a mixture ([NewMixAgent]) it returns the mixture of the agents'
// policies, and for any other agent the result of [FromAgent]. Of returns an error only if a policy
// must first be found ([NewFinder]) and the search for it fails.
func Of(ctx context.Context, a search.Agent, g *game.Game) (game.Policy, error) {
	switch a := a.(type) {
	case *sampler:
		return a.find(ctx)
	case *mixAgent:
		mix := &Mix{weights: a.weights}
		for _, part := range a.agents {
			p, err := Of(ctx, part, g)
			if err != nil {
				return nil, err
			}
			mix.policies = append(mix.policies, p)
		}
		return mix, nil
	}
	return FromAgent(a, g), nil
}

// Probs implements [game.Policy]. It panics if the agent returns an error or a move that is not in
// moves.
func (p *Simulated) Probs(s game.State, moves []game.Move, dst []float64) []float64 {
	dst, err := p.ProbsWithin(context.Background(), s, moves, dst)
	if err != nil {
		panic(fmt.Sprintf("policy: the agent of a policy failed: %v", err))
	}
	return dst
}

// ProbsWithin implements [game.Interruptible]. It returns an error if the search fails, for example
// because ctx ends. It panics if the agent returns a move that is not in moves.
func (p *Simulated) ProbsWithin(ctx context.Context, s game.State, moves []game.Move, dst []float64) ([]float64, error) {
	chosen, err := p.decide(ctx, s)
	if err != nil {
		return dst, err
	}
	at := len(dst)
	dst = append(dst, make([]float64, len(moves))...)
	for _, c := range chosen {
		i := slices.Index(moves, c)
		if i < 0 {
			panic(fmt.Sprintf("policy: the agent of a policy plays an unlisted move at %s", s))
		}
		dst[at+i] += 1 / float64(len(chosen))
	}
	return dst, nil
}

// decide returns the agent's moves at s.
func (p *Simulated) decide(ctx context.Context, s game.State) ([]game.Move, error) {
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
		return slot.moves, nil
	}
	p.agent.Begin(0)
	r, err := search.SearchUninterrupted(ctx, p.agent, p.stage(s))
	if err != nil {
		return nil, err
	}
	slot.hash = hash
	slot.moves = append(slot.moves[:0], r.Move)
	if p.Split && len(r.Best) > 0 {
		slot.moves = append(slot.moves[:0], r.Best...)
	}
	return slot.moves, nil
}

// stage returns s as a state in which a player moves.
func (p *Simulated) stage(s game.State) game.State {
	if s.Turn() != game.Chance {
		return s
	}
	b := game.Base(s)
	if b.Turn() != game.Chance || p.players > 2 {
		panic("policy: an agent cannot play at a slip, or at a chance node in a game with more than two players")
	}
	if p.inside != b {
		p.inside, p.hostile = b, game.NewAdversary(b, p.players)
	}
	return p.hostile
}

// NewRandom returns an agent that draws uniformly from the legal moves, using the seed given to
// Begin. It does not evaluate positions: Values is nil and Nodes is 0.
func NewRandom() search.Agent { return NewSampler(Uniform{}) }

// NewSampler returns an agent that draws its moves from the policy p, using the seed given to
// Begin. It does not evaluate positions: Values is nil and Nodes is 0.
func NewSampler(p game.Policy) search.Agent {
	return NewFinder(func(context.Context) (game.Policy, error) { return p, nil })
}

// NewFinder is like [NewSampler], but the agent obtains its policy in each search by calling find
// with the search's context.
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

// Draw returns a random index, where probs contains the probability of each index.
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
		last = i // rounding errors go to the last possible index
	}
	return last
}
