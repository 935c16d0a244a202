// Package cfr learns to play small games with hidden cards. It applies counterfactual regret
// minimisation to all deals together, and fits a linear model to the resulting strategy.
package cfr

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search/equilibrium"
	"plyfit/search/policy"
)

// Learner learns an approximate equilibrium, and weights with which a softmax plays it.
//
// An episode is an iteration of CFR+ over the whole game ([equilibrium.Solver]). The weights are a
// least-squares fit to the values of positions under the average strategy
// ([equilibrium.Strategy.Labels]). The label of a position is the expected utility of the player
// from whose point of view it is evaluated. After that player's own move, the label is lower if the
// strategy rarely plays the move, depending on the temperature of [policy.NewSoftmax]. With a
// column for each information set, the softmax of the model plays the strategy almost exactly. With
// fewer terms it plays an approximation.
//
// The method uses no random numbers, so the result does not depend on the seed.
type Learner struct {
	cfg    online.Task
	solver *equilibrium.Solver
	model  *models.Linear // from the last fit
	tally  online.Tally
}

var _ online.Learner = (*Learner)(nil)

const (
	penalty = 1e-9 // pulls weights towards 0 if the positions do not determine them
	widest  = 4096 // maximum number of weights, because the memory of least squares grows with its square
)

// New returns a learner. It enumerates the game, which must be a two-player zero-sum game with
// hidden information and at most two million positions.
func New(c online.Task) (*Learner, error) {
	if err := check(&c); err != nil {
		return nil, err
	}
	tree, err := equilibrium.NewTree(context.Background(), c.Game)
	if err != nil {
		return nil, err
	}
	solver, err := tree.Solver()
	if err != nil {
		return nil, err
	}
	return &Learner{cfg: c, solver: solver, model: c.Model.Clone()}, nil
}

// check returns an error if the method does not support the task.
func check(c *online.Task) error {
	if err := c.Check("cfr"); err != nil {
		return err
	}
	switch m := c.Model; {
	case c.Game.Players != 2 || c.Game.Sum != game.Zero:
		return fmt.Errorf("%s: cfr requires a two-player zero-sum game", c.Game.Spec)
	case m.Link.Kind != models.Identity:
		return fmt.Errorf("link %s: cfr requires a model with link identity", m.Link.Kind)
	case len(m.Table) > 0 || len(m.Weights) > widest:
		return fmt.Errorf("%s: cfr supports at most %d weights and no tables", m.Features, widest)
	}
	for i, w := range c.Model.Weights {
		if w != 0 && !slices.Contains(c.Frozen, int32(i)) {
			return errors.New("cfr starts from zero weights; use init zero")
		}
	}
	return nil
}

func (l *Learner) Advance(ctx context.Context, from, to int) error {
	for range to - from {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.tally.Ended(online.Outcome{Utility: l.solver.Iterate()})
		l.tally.Moves += int64(l.solver.Decisions())
	}
	return l.fit(ctx)
}

func (l *Learner) fit(ctx context.Context) error {
	frozen := l.cfg.Frozen
	if !slices.Contains(frozen, models.Bias) {
		frozen = append(slices.Clone(frozen), models.Bias) // the game is zero-sum, so the bias is 0
	}
	fitted := l.cfg.Model.Clone()
	_, err := learn.Ridge{Options: learn.Options{Penalty: penalty, Frozen: frozen, NoErrors: true, Workers: l.cfg.Workers}}.Learn(ctx, fitted, l.samples())
	if err != nil {
		return fmt.Errorf("cfr: %w", err)
	}
	l.model.Weights = fitted.Weights
	return nil
}

func (l *Learner) samples() datasets.Rows {
	var all datasets.Rows
	set := features.Own(l.cfg.Set)
	temperature := policy.Temperature * (l.cfg.Game.Max - l.cfg.Game.Min)
	l.solver.Average().Labels(temperature, func(label *equilibrium.Label) {
		x := set.Extract(game.Base(label.State), label.Player, nil)
		all = append(all, datasets.Sample{X: x, Y: label.Value, Weight: label.Weight, Kind: game.Exact, Episode: uint64(len(all))})
	})
	return all
}

func (l *Learner) Model() *models.Linear { return l.model }

func (l *Learner) Tally() online.Tally { return l.tally }

func (l *Learner) Persist(s *online.Snapshot) error {
	done, numbers := l.solver.State()
	s.Tally(&l.tally)
	s.Numbers(done)
	s.Floats(numbers...)
	if !s.Reading() || *done == 0 {
		return nil
	}
	return l.fit(context.Background())
}
