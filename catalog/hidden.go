package catalog

import (
	"fmt"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/hidden"
)

// Kinds of agents for games in which players do not see everything, beside those of
// [planner].

// open is the world for someone who sees all of a position.
func (w *World) open() *World { return &World{Game: w.Game.Open(), Entry: w.Entry} }

// pimcKind reads samples, ties, and agent: who searches the drawn positions.
func pimcKind(w *World, text string, o *game.Options, a AgentOptions) (*builder, error) {
	samples := o.Int("samples", 20, 1, 1<<20)
	inner := o.String("agent", "greedy")
	d := &draft{}
	if err := keyTies(w, o, d); err != nil {
		return nil, err
	}
	if err := o.Err(); err != nil {
		return nil, err
	}
	part, err := w.open().builder(inner, AgentOptions{Evaluation: a.Evaluation})
	if err != nil {
		return nil, err
	}
	b := &builder{repeatable: part.repeatable, file: part.file, evaluation: part.evaluation, split: d.Ties == search.Random}
	if b.identity = text; o.Has("agent") {
		b.identity = renamed(text, "agent", inner, "("+part.identity+")")
	} else if b.identity, err = WithKey(text, "agent", part.identity); err != nil {
		return nil, err
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

// ismcts makes the agent of a draft.
func (d *draft) ismcts() (search.Agent, error) {
	return hidden.NewISMCTS(hidden.ISMCTS{
		Game: d.Game, Eval: d.Eval, Simulations: d.simulations, Exploration: d.exploration,
		Multiple: d.multiple, Rollouts: d.rollouts, Ties: d.Ties, Complete: d.Complete,
	})
}

func keyTrees(_ *World, o *game.Options, d *draft) error {
	d.simulations = o.Int("simulations", 1000, 1, 1<<30)
	d.exploration = o.Float("exploration", 0, 0, 1e6)
	d.multiple = o.String("observers", "single", "single", "multiple") == "multiple"
	d.rollouts = o.Bool("rollouts", false)
	return nil
}

// cheatBuilder reads the inside of cheat(...): an agent that sees everything, in a
// game in which it should not. It is a bound for the others, no fair opponent.
func (w *World) cheatBuilder(inner string, o AgentOptions) (*builder, error) {
	if !w.Game.Hidden {
		return nil, fmt.Errorf("cheat(%s): nothing is hidden in %s: want %s alone", inner, w.Name, inner)
	}
	b, err := w.open().builder(inner, o)
	if err != nil {
		return nil, err
	}
	b.identity = "cheat(" + b.identity + ")"
	return b, nil
}
