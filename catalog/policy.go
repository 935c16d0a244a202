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

// nature removes the policy of nature from o, and returns what applies it to a world; nil without
// one. With recorded, a missing model is no error.
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
			return fmt.Errorf("%s: limits by time and several threads make a world that is never the same twice: want depth, nodes or simulations", option)
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
				panic(fmt.Sprintf("catalog: %s was made once, and now: %v", option, err))
			}
			return p
		})
		return err
	}
}

// chancyAt reports whether nature may move at s or later.
func (w *World) chancyAt(s game.State) bool {
	tree, ok := game.As[interface{ Chancy() bool }](s)
	return w.Chancy() && (!ok || tree.Chancy())
}

// CheckAssume refuses an assumption of an agent on chance where there is none at s or later: in an
// explicit tree.
func (w *World) CheckAssume(agent string, s game.State) error {
	parsed, err := spec.Parse(agent)
	if err != nil || !w.Chancy() || w.chancyAt(s) {
		return nil // what is wrong with the spec is reported where it is read
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

// assumptions are the names of those that are not an agent.
var assumptions = map[string]assume.Kind{
	"": assume.Default, "chance": assume.Chance, "adversary": assume.Adversary,
	"world": assume.World, "uniform": assume.Uniform, "base": assume.Base,
}

// idle is why an assumption changes nothing at s, with what to write instead; "" where it may
// change something. Without chance nature moves neither there nor later.
func (w *World) idle(kind assume.Kind, s game.State, chance bool) string {
	_, slips := game.As[*game.Slip](s)
	place := w.Spec
	if w.Chancy() && !chance {
		place = "this tree"
	}
	policy := "want an agent that chance follows, such as assume=random"
	if w.Base().Players > 1 {
		policy = "want an agent that the opponent follows, such as assume=random or assume=(mix(0.8*minimax:depth=2,0.2*random))"
	}
	switch {
	case kind == assume.Base && !slips:
		return fmt.Sprintf("it leaves out the slips of +slip, and %s has none: %s", w.Spec, policy)
	case kind != assume.Default && kind != assume.World && !chance:
		return fmt.Sprintf("it models chance, and %s has none: %s", place, policy)
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

// policy reads a policy: an agent's spec, or mix(...) of them. Where the agent
// draws among equally good moves (ties=random), they share the probability.
func (w *World) policy(text string) (*policyBuilder, error) {
	if text == "random" {
		return &policyBuilder{traits{identity: text, repeatable: true, agents: 1}, func() (game.Policy, error) { return policy.Uniform{}, nil }}, nil
	}
	if inner, ok := mixed(text); ok {
		mix := func(weights []float64, parts []game.Policy) (game.Policy, error) {
			return policy.NewMix(weights, parts)
		}
		all, make, err := mixture(text, inner, mix, func(nested string) (traits, func() (game.Policy, error), error) {
			part, err := w.policy(nested)
			if err != nil {
				return traits{}, nil, err
			}
			return part.traits, part.make, nil
		})
		if err != nil {
			return nil, err
		}
		return &policyBuilder{all, make}, nil
	}
	actor := w
	if w.Base().Players == 1 {
		// It plays for nature, which is a player only in the hostile world.
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
	return &policyBuilder{b.traits, func() (game.Policy, error) {
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

type policyBuilder struct {
	traits
	make func() (game.Policy, error)
}

// unknownPolicy replaces one whose model is not at hand.
type unknownPolicy struct {
	option string
	why    error
}

func (u unknownPolicy) Probs(game.State, []game.Move, []float64) []float64 {
	panic(fmt.Sprintf("catalog: %s: the probabilities of a recorded game were asked for: %v", u.option, u.why))
}
