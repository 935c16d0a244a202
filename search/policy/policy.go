// Package policy has ways to play, as probabilities of moves: uniform, an agent's, mixtures, and
// agents that draw their moves from a policy.
//
// Policies are asked at decisions and, in games of one, at the base game's chance nodes, where they
// play for the opponent, as a ghost does. They leave the position unchanged and belong to one
// goroutine each.
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

// Simulated plays an agent's move with probability 1. The agent is begun with the same seed before
// every decision, so its decision depends on the position alone; it is simulated once a position
// and remembered by the position's hash.
//
// At a chance node the agent sees the position of a hostile world ([game.NewAdversary]) in which it
// is itself the player to move.
type Simulated struct {
	// Split shares the probability among all of Result.Best, where the agent
	// completes them (its option Complete).
	Split bool
	// Remember is how many decisions are kept; 0: 4,096. A new decision takes
	// the place of an old one whose hash has the same lowest bits.
	Remember int

	agent   search.Agent
	players int
	memory  []decision
	hostile *game.Adversary // around inside
	inside  game.State
}

type decision struct {
	hash  uint64
	moves []game.Move // shared evenly; none: the slot is free
}

var _ game.Interruptible = (*Simulated)(nil)

// FromAgent makes a policy of an agent for positions of g, or of g without its
// wrappers. The agent must not be used for anything else meanwhile.
func FromAgent(a search.Agent, g *game.Game) *Simulated {
	players := g.Players
	if hostile, ok := game.As[*game.Adversary](g.New()); ok && hostile.Solo() {
		players = 1 // the second one is nature
	}
	return &Simulated{agent: a, players: players}
}

// Of is the policy by which an agent plays: the policy of agents that draw their moves from one,
// the mixture of their policies for a mixture ([NewMixAgent]), [FromAgent] for all others. Only a
// policy that must be found first ([NewFinder], under ctx) returns an error.
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

// Probs implements [game.Policy]. It panics where the agent has no answer, or
// one that is not among the moves.
func (p *Simulated) Probs(s game.State, moves []game.Move, dst []float64) []float64 {
	dst, err := p.ProbsWithin(context.Background(), s, moves, dst)
	if err != nil {
		panic(fmt.Sprintf("policy: the agent of a policy has no answer: %v", err))
	}
	return dst
}

// ProbsWithin implements [game.Interruptible]. An answer that ctx cut short is none. It
// panics where the agent answers with a move that is not among moves.
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
			panic(fmt.Sprintf("policy: the agent of a policy answers %s with a move that is not listed", s))
		}
		dst[at+i] += 1 / float64(len(chosen))
	}
	return dst, nil
}

// decide is what the agent plays at s.
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
	r, err := search.Whole(ctx, p.agent, p.stage(s))
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

// stage is s with a player to move.
func (p *Simulated) stage(s game.State) game.State {
	if s.Turn() != game.Chance {
		return s
	}
	b := game.Base(s)
	if b.Turn() != game.Chance || p.players > 2 {
		panic("policy: an agent's policy is asked at a slip or at nature's node of a game of three")
	}
	if p.inside != b {
		p.inside, p.hostile = b, game.NewAdversary(b, p.players)
	}
	return p.hostile
}

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
