// Package cfr learns small games of hidden cards: all of their deals are played at once,
// by counterfactual regret minimisation, and a linear model is fitted to what came of it.
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

// Learner learns a strategy near an equilibrium, and the weights by which a softmax plays it.
//
// An episode is an iteration of CFR+ over the whole game ([equilibrium.Solver]). The
// weights are those of least squares to what positions are worth by the average strategy
// ([equilibrium.Strategy.Labels]): the expected utility of who sees them, and after a move of
// his own so much less as it is improbable, by the temperature of [policy.NewSoftmax]. With a
// column for each information set the fit is exact, and the softmax of the
// model plays the strategy; terms that are fewer come as near as they can.
//
// Nothing in it is random: all seeds learn the same.
type Learner struct {
	cfg    online.Task
	solver *equilibrium.Solver
	model  *models.Linear // fitted last
	tally  online.Tally
}

var _ online.Learner = (*Learner)(nil)

const (
	penalty = 1e-9 // draws to 0 what no position tells apart
	widest  = 4096 // weights: least squares take their square
)

// New makes a learner. It writes the game out, which has to be a zero-sum one of two of at
// most two million positions, some of it hidden.
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

// check finds a model that least squares do not fit.
func check(c *online.Task) error {
	if err := c.Check("cfr"); err != nil {
		return err
	}
	switch m := c.Model; {
	case c.Game.Players != 2 || c.Game.Sum != game.Zero:
		return fmt.Errorf("%s: cfr wants a zero-sum game of two", c.Game.Spec)
	case m.Link.Kind != models.Identity:
		return fmt.Errorf("link %s: cfr wants a model with the link identity", m.Link.Kind)
	case len(m.Table) > 0 || len(m.Weights) > widest:
		return fmt.Errorf("%s: cfr wants at most %d weights, none of them in tables", m.Features, widest)
	}
	for i, w := range c.Model.Weights {
		if w != 0 && !slices.Contains(c.Frozen, int32(i)) {
			return errors.New("cfr begins with nothing: want init zero")
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
		frozen = append(slices.Clone(frozen), models.Bias) // what one gets the other loses: it is 0
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
