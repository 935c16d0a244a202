package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"plyfit/game"
	"plyfit/learn"
	"plyfit/learn/loss"
	"plyfit/learn/validate"
	"plyfit/models"
)

// completeLoss fills in the loss. It returns an error if the loss is not suitable for the method,
// the game or the teacher. The parameter bounded is set if the game's utilities are bounded.
func (c *Options) completeLoss(game string, bounded bool) error {
	m := c.Method
	squares := m.minimises(SquaredError)
	both := alternatives(func(m *Method) bool { return len(m.Losses) > 1 })
	switch {
	case !squares && !bounded:
		return fmt.Errorf("method %s: want %s or %s in %s, whose utilities have no bounds", m, Ridge, lstd, game)
	case c.Teacher != nil && (!squares || c.Loss == CrossEntropy):
		return errors.New("a teacher provides values, not results; use least squares, with method ridge, elastic or lbfgs")
	case c.Loss == "":
		c.Loss = SquaredError
		if m.minimises(CrossEntropy) && bounded && c.Teacher == nil {
			c.Loss = CrossEntropy
		}
	case c.Loss != SquaredError && !m.Linked:
		return fmt.Errorf("loss %s: method %s minimises squared error; use method %s", c.Loss, m, both)
	case c.Loss == SquaredError && !squares:
		return fmt.Errorf("loss %s: want method %s", c.Loss, both)
	case c.Loss == CrossEntropy && !bounded:
		return fmt.Errorf("loss %s: want %s in %s, whose utilities have no bounds", CrossEntropy, SquaredError, game)
	}
	return nil
}

// loss returns the loss function to minimise.
func (c *Options) loss(link models.Link, base *game.Game) loss.Function {
	if c.Loss == CrossEntropy {
		return loss.ForLink(link, base.Min, base.Max)
	}
	if link.Kind == models.Identity || c.Teacher != nil {
		return loss.Squared{}
	}
	return loss.Squared{Link: link, Lo: base.Min, Hi: base.Max}
}

// learner returns the learner for the options. It returns nil for methods that learn from episodes.
func (c *Options) learner(criterion loss.Function, features int, o learn.Options) learn.Learner {
	m := c.Method.solver(features)
	if m.Learner == nil {
		return nil
	}
	return m.Learner(c, criterion, o)
}

func (c *Options) learn(ctx context.Context, t task, o learn.Options, m *models.Linear) (learn.Report, error) {
	if c.Method.Episodes != nil {
		return c.Method.Episodes(c, o).Learn(ctx, m, t.data.steps)
	}
	return c.learner(t.loss, m.Len(), o).Learn(ctx, m, t.data.samples)
}

// validate tries penalties on folds of the training episodes. Least squares needs one pass for all
// folds and penalties; other methods need a fit for each fold and penalty.
func (c *Options) validate(ctx context.Context, t task) (*validate.CrossValidation, error) {
	o, m := t.options, t.blank.Clone()
	folds := t.data.split.inFolds()
	method := c.Method.solver(m.Len())
	folds.Penalties = method.Grid
	if method == elastic {
		folds.Mix = cmp.Or(c.L1, 0.5)
	}
	var cv validate.CrossValidation
	var err error
	if method.BySums {
		cv, err = validate.CrossValidate(ctx, m, t.data.samples, o, folds)
	} else {
		cv, err = validate.CrossValidateFits(ctx, m, t.data.samples, o, folds, func(o learn.Options) learn.Learner { return c.learner(t.loss, m.Len(), o) })
	}
	return &cv, err
}
