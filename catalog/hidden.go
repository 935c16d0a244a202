package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/equilibrium"
	"plyfit/search/hidden"
	"plyfit/search/policy"
	"plyfit/work"
)

// Kinds of agents not covered by [planner], for games with hidden information.

// open returns the world for a player who sees the whole position.
func (w *World) open() *World { return &World{Game: w.Game.Open(), Entry: w.Entry} }

// pimcKind reads the keys samples, ties, agent (the agent that searches the sampled positions) and
// eval (that agent's evaluation).
func pimcKind(w *World, text string, o *game.Options, a AgentOptions) (*builder, error) {
	samples := o.Int("samples", 20, 1, 1<<20)
	inner := o.String("agent", "greedy")
	eval := o.String("eval", "")
	d := &draft{}
	if err := tiesKey.read(w, o, d); err != nil {
		return nil, err
	}
	if err := o.Err(); err != nil {
		return nil, err
	}
	searcher := inner
	if eval != "" {
		var err error
		if searcher, err = WithKey(inner, "eval", eval); err != nil {
			return nil, err
		}
	}
	part, err := w.open().builder(searcher, AgentOptions{Evaluation: a.Evaluation})
	if err != nil {
		return nil, err
	}
	b := &builder{traits: traits{repeatable: true, agents: 1}, evaluation: part.evaluation, split: d.Ties == search.Random}
	b.nest(part.traits)
	b.identity = fmt.Sprintf("pimc:samples=%d,agent=(%s)", samples, part.identity)
	if d.Ties == search.Random {
		b.identity += ",ties=random"
	}
	b.make = func() (search.Agent, error) {
		agent, err := part.make()
		if err != nil {
			return nil, err
		}
		p, err := hidden.NewPIMC(hidden.PIMC{Game: w.Game, Agent: agent, Samples: samples, Ties: d.Ties, Complete: a.Complete})
		if err != nil {
			search.Close(agent)
		}
		return p, err
	}
	return b, nil
}

// strategyKind reads the key file, a strategy written by plyfit exploit.
func strategyKind(w *World, text string, o *game.Options, _ AgentOptions) (*builder, error) {
	path := o.String("file", "")
	if err := o.Err(); err != nil {
		return nil, err
	}
	if path == "" {
		return nil, fmt.Errorf("%s: want file=FILE, a strategy written by plyfit exploit", text)
	}
	tree, err := equilibrium.NewTree(context.Background(), w.Game)
	if err != nil {
		return nil, fmt.Errorf("strategy: %w", err)
	}
	data, err := w.Entry.attached.read(path)
	if data == nil && err == nil {
		if data, err = w.Entry.readFile(path); err != nil {
			return nil, fmt.Errorf("file=%s: want a strategy file: %w", path, cmp.Or(errors.Unwrap(err), err))
		}
	}
	if err != nil {
		return nil, err
	}
	s, err := tree.Load(data)
	if err != nil {
		return nil, fmt.Errorf("strategy %s: %w", path, err)
	}
	digest := short(work.Digest(data))
	return &builder{
		make: func() (search.Agent, error) { return policy.NewSampler(s), nil },
		traits: traits{identity: renamed(text, "file", path, digest), repeatable: true, file: true, agents: 1,
			attached: []attachment{{digest, func() ([]byte, error) { return data, nil }}}},
	}, nil
}

// responseKind reads the keys to and samples. The agent plays the best response to another agent's
// strategy.
func responseKind(w *World, text string, o *game.Options, _ AgentOptions) (*builder, error) {
	samples := o.Int("samples", 100, 1, 1<<20)
	to := o.String("to", "random")
	if err := o.Err(); err != nil {
		return nil, err
	}
	if !w.Hidden {
		return nil, fmt.Errorf("response: %s: want a game of imperfect information", w.Spec)
	}
	part, err := w.builder(to, AgentOptions{})
	if err != nil {
		return nil, err
	}
	find := work.Once(func(ctx context.Context) (game.Policy, error) {
		tree, err := equilibrium.NewTree(ctx, w.Game)
		if err != nil {
			return nil, fmt.Errorf("response: %w", err)
		}
		s, _, err := tree.Of(ctx, search.Factory{New: part.make}, samples, 1, 1)
		if err != nil {
			return nil, err
		}
		return tree.BestResponses(s), nil
	})
	b := &builder{traits: traits{identity: text, repeatable: true, agents: 1}}
	b.nest(part.traits)
	if o.Has("to") {
		b.identity = renamed(text, "to", to, "("+part.identity+")")
	}
	b.make = func() (search.Agent, error) { return policy.NewFinder(find), nil }
	return b, nil
}

func (d *draft) ismcts() (search.Agent, error) {
	return hidden.NewISMCTS(hidden.ISMCTS{
		Game: d.Game, Eval: d.Eval, Simulations: d.simulations, Exploration: d.exploration,
		Multiple: d.multiple, Rollouts: d.rollouts, Ties: d.Ties, Complete: d.Complete,
	})
}

func (d *draft) softmax() (search.Agent, error) {
	p, err := policy.NewSoftmax(d.withoutIteration(), d.temperature, d.share)
	if err != nil {
		return nil, err
	}
	return policy.NewSampler(p), nil
}

// cheatBuilder parses the part of cheat(...) in parentheses. The agent sees the whole position in a
// game with hidden information. Its results are a bound for other agents.
func (w *World) cheatBuilder(inner string, o AgentOptions) (*builder, error) {
	if !w.Game.Hidden {
		return nil, fmt.Errorf("cheat(%s): nothing is hidden in %s; use %s instead", inner, w.Name, inner)
	}
	b, err := w.open().builder(inner, o)
	if err != nil {
		return nil, err
	}
	b.identity = "cheat(" + b.identity + ")"
	return b, nil
}
