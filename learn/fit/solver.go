package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"plyfit/game"
	"plyfit/learn"
	"plyfit/learn/loss"
	"plyfit/learn/validate"
	"plyfit/models"
)

// completeLoss fills in the loss, or is an error if it does not suit method, game or teacher.
// bounded means that the game's utilities are.
func (c *Options) completeLoss(game string, bounded bool) error {
	m := c.Method
	squares := m.minimises(SquaredError)
	both := alternatives(func(m *Method) bool { return len(m.Losses) > 1 })
	switch {
	case !squares && !bounded:
		return fmt.Errorf("method %s: want %s or %s in %s, whose utilities have no bounds", m, Ridge, lstd, game)
	case c.Teacher != nil && (!squares || c.Loss == CrossEntropy):
		return errors.New("a teacher's sums are no results: want least squares, by method ridge, elastic or lbfgs")
	case c.Loss == "":
		c.Loss = SquaredError
		if m.minimises(CrossEntropy) && bounded && c.Teacher == nil {
			c.Loss = CrossEntropy
		}
	case c.Loss != SquaredError && !m.Linked:
		return fmt.Errorf("loss %s: method %s is least squares: want method %s", c.Loss, m, both)
	case c.Loss == SquaredError && !squares:
		return fmt.Errorf("loss %s: want method %s", c.Loss, both)
	case c.Loss == CrossEntropy && !bounded:
		return fmt.Errorf("loss %s: want %s in %s, whose utilities have no bounds", CrossEntropy, SquaredError, game)
	}
	return nil
}

// loss is what is minimised; nil for least squares on the sum itself.
func (c *Options) loss(link models.Link, base *game.Game) loss.Function {
	if c.Loss == CrossEntropy {
		return loss.ForLink(link, base.Min, base.Max)
	}
	if link.Kind == models.Identity || c.Teacher != nil {
		return loss.Squared{}
	}
	return loss.Squared{Link: link, Lo: base.Min, Hi: base.Max}
}

// learner is what fits with these options; nil for methods that learn from episodes.
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

// validate tries penalties on folds of the training episodes: least squares in one pass for all,
// others with a fit for every fold and penalty.
func (c *Options) validate(ctx context.Context, t task) (*validate.CrossValidation, error) {
	o, m := t.options, t.blank.Clone()
	folds := t.data.sides.inFolds()
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

// completeLink fills in the link, or is an error if it does not suit method, game, loss or
// teacher. bounded means that the game's utilities are.
func (c *Options) completeLink(game string, bounded bool) error {
	m := c.Method
	if c.Link == "" {
		c.Link = models.Identity
		if m.Linked && bounded && c.Teacher == nil {
			c.Link = models.Logistic
		}
	}
	switch {
	case c.Link != models.Identity && (!m.Linked || c.Teacher != nil):
		return fmt.Errorf("link %s: this fit is of the sum itself: want none", c.Link)
	case c.Link != models.Identity && !bounded:
		return fmt.Errorf("link %s: want %s in %s, whose utilities have no bounds", c.Link, models.Identity, game)
	case c.Link == models.Identity && c.Loss == CrossEntropy:
		return fmt.Errorf("link %s: sums are no probabilities: want %s or %s for loss %s", c.Link, models.Logistic, models.Tanh, CrossEntropy)
	}
	return nil
}

func (c *Options) checkScale() error {
	switch {
	case c.Scale.Free:
		return errors.New("a scale that is fitted with the weights: want a table of no game")
	case c.Scale != (Scale{}) && c.Link == models.Identity:
		return fmt.Errorf("scale %s: method %s has link %s, which has no scale", c.Scale, c.Method, c.Link)
	case c.Scale.Prior && c.Prior == nil && c.Start == nil:
		return errors.New("scale prior: want a prior")
	case !c.Scale.Prior && c.Scale.Value != 0 && (!(c.Scale.Value > 0) || math.IsInf(c.Scale.Value, 0)):
		return fmt.Errorf("scale %q: want a positive number or prior", c.Scale)
	}
	return nil
}

// Scale is the scale of a link, and so the unit of the weights. The zero value is 1.
type Scale struct {
	Value float64 // 0: 1
	Prior bool    // fitted once to the prior model on the training rows, in place of Value
	Free  bool    // of [RunColumns]: fitted with the weights, whose unit a frozen one gives
}

// String is the scale as the command writes it.
func (s Scale) String() string {
	if s.Prior {
		return "prior"
	}
	return fmt.Sprint(s.Value)
}

// scale sets the scale of m's link: the unit that weights are given in.
func (c *Options) scale(ctx context.Context, m *models.Linear, base *game.Game, data source) error {
	switch {
	case m.Link.Kind == models.Identity || c.Teacher != nil:
		return nil
	case c.Scale == (Scale{}):
		m.Link.Scale = 1
		return nil
	case c.Scale.Prior:
		theirs, name := c.Prior, c.PriorName
		if c.Start != nil {
			theirs, name = c.Start, "the starting weights"
		}
		train := func(e uint64) bool { return !data.sides.held(e) }
		s, err := learn.FitScale(ctx, theirs, data.samples, m.Link.Kind, base.Min, base.Max, train)
		if err != nil {
			return fmt.Errorf("scale of %s: %w", name, err)
		}
		m.Link.Scale = s
		// From here on they are read on that scale, in their own units.
		c.Prior, c.Start = withLink(c.Prior, m.Link), withLink(c.Start, m.Link)
		return nil
	}
	m.Link.Scale = c.Scale.Value
	return nil
}

// withLink is m, which may be nil, with the same weights and another link.
func withLink(m *models.Linear, link models.Link) *models.Linear {
	if m == nil {
		return nil
	}
	m = m.Clone()
	m.Link = link
	return m
}
