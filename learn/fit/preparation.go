package fit

import (
	"context"
	"fmt"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/search"
	"plyfit/selfplay"
)

// Leaf selects the position learned from instead of a recorded one; zero: the recorded one.
type Leaf struct {
	Quiescence bool   // the end of the quiescence search's line
	Agent      string // the end of the principal variation of this agent of the catalog's
}

// String is the leaf as the command writes it.
func (l Leaf) String() string {
	if l.Quiescence {
		return "quiescence"
	}
	return l.Agent
}

// Set reads a leaf: quiescence, or the spec of an agent.
func (l *Leaf) Set(text string) error {
	if *l = (Leaf{Agent: text}); text == "quiescence" {
		*l = Leaf{Quiescence: true}
	}
	return nil
}

// preparation makes the steps from a recorded position to its sample; nil if there are none.
// Errors are found here, once, so that workers can make their own steps afterwards.
func (c *Options) preparation(ctx context.Context, w *catalog.World) (func() features.Step, error) {
	if c.Quiet || c.Leaf.Quiescence {
		if _, err := c.quiescence(w); err != nil {
			return nil, err
		}
	}
	player, err := c.Leaf.player(w)
	if err != nil {
		return nil, err
	}
	if !c.Quiet && c.Leaf == (Leaf{}) {
		return nil, nil
	}
	return func() features.Step {
		var p selfplay.Preparation
		if c.Quiet {
			p.Quiet = mustMake(c.quiescence(w)).Quiet
		}
		switch {
		case c.Leaf.Quiescence:
			p.Leaf = selfplay.QuietLeaf(mustMake(c.quiescence(w)))
		case player != nil:
			p.Leaf = selfplay.SearchLeaf(ctx, mustMake(player.New()))
		}
		return p.Step()
	}, nil
}

// quiescence is a quiescence search by the prior, or without one by the world's own evaluation.
func (c *Options) quiescence(w *catalog.World) (*search.Quiescence, error) {
	var e *catalog.Evaluation
	var err error
	if c.Prior == nil {
		e, err = w.Evaluation("")
	} else if set, known := w.Set(c.Prior.Features); known != nil {
		err = known
	} else {
		e, err = w.EvaluationOf(c.PriorName, set, c.Prior)
	}
	if err != nil {
		return nil, err
	}
	return search.NewQuiescence(w.Game, e.New())
}

// player is the agent whose principal variation leads to the leaf; nil without one. It plays the
// plain game, whose positions the steps get.
func (l Leaf) player(w *catalog.World) (*catalog.Agent, error) {
	if l.Agent == "" {
		return nil, nil
	}
	plain := &catalog.World{Game: w.Base(), Entry: w.Entry}
	player, err := plain.Agent(l.Agent, catalog.AgentOptions{})
	if err != nil {
		return nil, fmt.Errorf("leaf: %w", err)
	}
	if player.Unrepeatable {
		return nil, fmt.Errorf("leaf %s: a limit by time or racing threads give other lines each time: want depth, nodes or simulations", l.Agent)
	}
	return player, nil
}

// mustMake is what was made before, made again: an error is a fault of the program.
func mustMake[T any](made T, err error) T {
	if err != nil {
		panic("fit: " + err.Error())
	}
	return made
}
