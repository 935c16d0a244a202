package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"plyfit/game"
	"plyfit/learn"
	"plyfit/models"
)

// completeLink fills in the link. It returns an error if the link is not suitable for the method,
// the game, the loss or the teacher. The parameter bounded is set if the game's utilities are
// bounded.
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
		return fmt.Errorf("link %s: this fit predicts the sum itself and has no link", c.Link)
	case c.Link != models.Identity && !bounded:
		return fmt.Errorf("link %s: want %s in %s, whose utilities have no bounds", c.Link, models.Identity, game)
	case c.Link == models.Identity && c.Loss == CrossEntropy:
		return fmt.Errorf("link %s: a sum is not a probability; want %s or %s for loss %s", c.Link, models.Logistic, models.Tanh, CrossEntropy)
	}
	return nil
}

func (c *Options) checkScale() error {
	switch {
	case c.Scale.Free:
		return errors.New("a fitted scale needs a table without a game")
	case c.Scale != (Scale{}) && c.Link == models.Identity:
		return fmt.Errorf("scale %s: method %s has link %s, which has no scale", c.Scale, c.Method, c.Link)
	case c.Scale.Prior && c.Prior == nil && c.Start == nil:
		return errors.New("scale prior: requires a prior; use --prior MODEL, or set a number")
	case !c.Scale.Prior && c.Scale.Value != 0 && (!(c.Scale.Value > 0) || math.IsInf(c.Scale.Value, 0)):
		return fmt.Errorf("scale %q: want a positive number or the word prior", c.Scale)
	}
	return nil
}

// Scale is the scale of a link, which determines the unit of the weights. The zero value means 1,
// or [CentipawnScale] in [RunColumns].
type Scale struct {
	Value float64 // 0 means the default
	Prior bool    // fit the scale once to the starting weights or the prior model on the training rows, and ignore Value
	Free  bool    // only for [RunColumns]: fit the scale together with the weights, in the unit defined by frozen weights
}

// String returns the scale in the syntax of the command.
func (s Scale) String() string {
	if s.Prior {
		return "prior"
	}
	return fmt.Sprint(s.Value)
}

// scale sets the scale of m's link. If Scale.Prior is set, it fits the scale to the starting
// weights or the prior.
func (c *Options) scale(ctx context.Context, m *models.Linear, base *game.Game, data source) error {
	switch {
	case m.Link.Kind == models.Identity || c.Teacher != nil:
		return nil
	case c.Scale == (Scale{}):
		m.Link.Scale = 1
		return nil
	case c.Scale.Prior:
		reference, name := c.Prior, c.PriorName
		if c.Start != nil {
			reference, name = c.Start, "the starting weights"
		}
		train := func(e uint64) bool { return !data.split.held(e) }
		s, err := learn.FitScale(ctx, reference, data.samples, m.Link.Kind, base.Min, base.Max, train)
		if err != nil {
			return fmt.Errorf("scale of %s: %w", name, err)
		}
		m.Link.Scale = s
		// The prior and the starting weights keep their units but get the fitted scale.
		c.Prior, c.Start = withLink(c.Prior, m.Link), withLink(c.Start, m.Link)
		return nil
	}
	m.Link.Scale = c.Scale.Value
	return nil
}

// withLink returns a copy of m with the same weights but a different link, or nil if m is nil.
func withLink(m *models.Linear, link models.Link) *models.Linear {
	if m == nil {
		return nil
	}
	m = m.Clone()
	m.Link = link
	return m
}
