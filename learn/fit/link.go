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
