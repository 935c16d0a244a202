package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"plyfit/game"
	"plyfit/internal/spec"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/policy"
)

// nature removes nature's policy from o and returns a function that applies it to a world. It
// returns nil if there is no policy. If recorded is set, a missing model is not an error.
func (e *Entry) nature(o *game.Options, recorded bool) func(w *World) error {
	n := e.Nature
	if n == nil || !o.Has(n.Key) {
		return nil
	}
	text := o.String(n.Key, "")
	if slices.Contains(n.Own, text) {
		return nil
	}
	o.Drop(n.Key)
	return func(w *World) (err error) {
		option := fmt.Sprintf("%s: %s=%s", e.Name, n.Key, text)
		policy, err := w.policy(text)
		var missing *missingModel
		if errors.As(err, &missing) {
			if recorded {
				w.Game, err = n.Follow(w.Game, text, func() game.Policy { return unknownPolicy{option, missing} })
				return err
			}
			return fmt.Errorf("%s: %w", option, err)
		}
		if err != nil {
			return fmt.Errorf("%s: want %s, or an agent: %w", option, strings.Join(n.Own, ", "), err)
		}
		if !policy.repeatable {
			return fmt.Errorf("%s: time limits and several threads would make the world unrepeatable; use depth, nodes or simulations", option)
		}
		if _, err := policy.make(); err != nil {
			return fmt.Errorf("%s: %w", option, err)
		}
		named := text
		if policy.file {
			named = policy.identity
		}
		w.attached = policy.attached
		w.Game, err = n.Follow(w.Game, named, func() game.Policy {
			p, err := policy.make()
			if err != nil {
				panic(fmt.Sprintf("catalog: %s could be created once, but not again: %v", option, err))
			}
			return p
		})
		return err
	}
}

// chancyAt reports whether chance moves are possible at s or later.
func (w *World) chancyAt(s game.State) bool {
	tree, ok := game.As[interface{ Chancy() bool }](s)
	return w.Chancy() && (!ok || tree.Chancy())
}

// CheckAssume returns an error if the agent assumes something about chance but there are no chance
// moves at s or later. It concerns only explicit trees.
func (w *World) CheckAssume(agent string, s game.State) error {
	parsed, err := spec.Parse(agent)
	if err != nil || !w.Chancy() || w.chancyAt(s) {
		return nil // errors in the spec are reported when it is parsed
	}
	for _, k := range parsed.Keys {
		if kind, ok := assumptions[k.Value]; ok && k.Name == "assume" {
			if why := w.idle(kind, s, false); why != "" {
				return fmt.Errorf("agent %s: %s", agent, why)
			}
		}
	}
	return nil
}

// assumptions maps the values of assume= that are not agents.
var assumptions = map[string]assume.Kind{
	"": assume.Default, "chance": assume.Chance, "adversary": assume.Adversary,
	"world": assume.World, "uniform": assume.Uniform, "base": assume.Base,
}

// idle explains why an assumption has no effect at s, and what to use instead. It returns an empty
// string if the assumption may have an effect. chance reports whether there are chance moves at s
// or later.
func (w *World) idle(kind assume.Kind, s game.State, chance bool) string {
	_, slips := game.As[*game.Slip](s)
	place := w.Spec
	if w.Chancy() && !chance {
		place = "this tree"
	}
	policy := "use an agent that plays for chance, such as assume=random"
	if w.Base().Players > 1 {
		policy = "use an agent that plays for the opponent, such as assume=random or assume=(mix(0.8*minimax:depth=2,0.2*random))"
	}
	switch {
	case kind == assume.Base && !slips:
		return fmt.Sprintf("base removes the slips of +slip, but %s has no slips; %s", w.Spec, policy)
	case kind != assume.Default && kind != assume.World && !chance:
		return fmt.Sprintf("this word models chance, but %s has no chance moves; %s", place, policy)
	}
	return ""
}

// keyAssume reads the planner's model of the other players and of chance.
func keyAssume(w *World, o *game.Options, d *draft) error {
	text := o.String("assume", "")
	if kind, ok := assumptions[text]; ok {
		_, chance := game.As[game.Chancer](w.New())
		if why := w.idle(kind, w.New(), chance); why != "" {
			return fmt.Errorf("assume=%s: %s", text, why)
		}
		d.Assume.Kind = kind
		return nil
	}
	policy, err := w.policy(text)
	if err != nil {
		return fmt.Errorf("assume=%s: want world, chance, adversary, uniform, base, or an agent: %w", text, err)
	}
	d.assumed, d.policy = text, policy
	return nil
}

// policy parses a policy: the spec of an agent, or mix(...). If the agent chooses randomly among
// equally good moves (ties=random), they share the probability.
func (w *World) policy(text string) (*policyBuilder, error) {
	if text == "random" {
		return &policyBuilder{traits: traits{identity: text, repeatable: true, agents: 1}, make: func() (game.Policy, error) { return policy.Uniform{}, nil }}, nil
	}
	if inner, ok := mixed(text); ok {
		mix := func(weights []float64, parts []game.Policy) (game.Policy, error) {
			return policy.NewMix(weights, parts)
		}
		return mixture(text, inner, mix, w.policy)
	}
	actor := w
	if w.Base().Players == 1 {
		// The agent plays for nature, which is a player only in the adversarial world.
		hostile, err := game.WithAdversary(w.Base())
		if err != nil {
			return nil, err
		}
		actor = &World{Game: hostile, Entry: w.Entry}
	}
	b, err := actor.builder(text, AgentOptions{})
	if err == nil && b.split {
		b, err = actor.builder(text, AgentOptions{Complete: true})
	}
	if err != nil {
		return nil, err
	}
	return &policyBuilder{traits: b.traits, make: func() (game.Policy, error) {
		agent, err := b.make()
		if err != nil {
			return nil, err
		}
		p, err := policy.Of(context.Background(), agent, w.Game)
		if err != nil {
			search.Close(agent)
			return nil, err
		}
		if p, ok := p.(*policy.Simulated); ok {
			p.Split = b.split
		}
		return p, nil
	}}, nil
}

type policyBuilder = builderOf[game.Policy]

// unknownPolicy stands for a policy whose model is not available.
type unknownPolicy struct {
	option string
	why    error
}

func (u unknownPolicy) Probs(game.State, []game.Move, []float64) []float64 {
	panic(fmt.Sprintf("catalog: %s: the probabilities of a recorded game are not available: %v", u.option, u.why))
}
