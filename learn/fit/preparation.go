package fit

import (
	"context"
	"fmt"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/search"
	"plyfit/selfplay"
)

// A Leaf selects the position that a fit uses instead of a recorded position. The zero value
// selects the recorded position itself.
type Leaf struct {
	Quiescence bool   // last position of the line that the quiescence search finds
	Agent      string // spec of the agent whose principal variation ends in the position
}

// String returns the leaf in the syntax of the command.
func (l Leaf) String() string {
	if l.Quiescence {
		return "quiescence"
	}
	return l.Agent
}

// Set parses a leaf: quiescence, or the spec of an agent.
func (l *Leaf) Set(text string) error {
	if *l = (Leaf{Agent: text}); text == "quiescence" {
		*l = Leaf{Quiescence: true}
	}
	return nil
}

// preparation returns a constructor for the step that maps a recorded position to the position of
// its sample, or nil if no step is needed. Errors are reported here, so that each worker can later
// create its own step without errors.
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

// quiescence returns a quiescence search. It uses the prior as its evaluation or, if there is no
// prior, the world's default evaluation.
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

// player returns the agent whose principal variation leads to the leaf, or nil if there is no
// agent. The agent plays the base game, because the steps receive positions of the base game.
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
		return nil, fmt.Errorf("leaf %s: time limits and threads make the agent's lines irreproducible; limit depth, nodes or simulations instead", l.Agent)
	}
	return player, nil
}

// mustMake returns its first argument, and panics if err is not nil. It is used for values that
// have already been created once without an error.
func mustMake[T any](made T, err error) T {
	if err != nil {
		panic("fit: " + err.Error())
	}
	return made
}
