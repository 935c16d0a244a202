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

// completeLink fills in the link, and finds one that method, game, loss or teacher
// does not go with. bounded says that the game's utilities are.
func (c *Options) completeLink(game string, bounded bool) error {
	m := c.Method
	if c.Link == "" {
		c.Link = models.Identity
		if m.Linked && bounded && c.Teacher == nil {
			c.Link = models.Logistic
		}
	}
	switch {
	case c.Link != models.Identity && c.Link != models.Logistic && c.Link != models.Tanh:
		return fmt.Errorf("link %q: want %s, %s or %s", c.Link, models.Identity, models.Logistic, models.Tanh)
	case c.Link != models.Identity && (!m.Linked || c.Teacher != nil):
		return fmt.Errorf("link %s: this fit is of the sum itself: want none", c.Link)
	case c.Link != models.Identity && !bounded:
		return fmt.Errorf("link %s: want %s in %s, whose utilities have no bounds", c.Link, models.Identity, game)
	case c.Link == models.Identity && c.Loss == CrossEntropy:
		return fmt.Errorf("link %s: sums are no probabilities: want %s or %s for loss %s", c.Link, models.Logistic, models.Tanh, CrossEntropy)
	}
	return nil
}

// checkScale finds a scale that cannot be.
func (c *Options) checkScale() error {
	switch {
	case c.Scale != (Scale{}) && c.Link == models.Identity:
		return fmt.Errorf("scale %s: method %s has link %s, which has no scale", c.Scale, c.Method, c.Link)
	case c.Scale.Prior && c.Prior == nil:
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
}

// String is the scale as the command writes it.
func (s Scale) String() string {
	if s.Prior {
		return "prior"
	}
	return fmt.Sprint(s.Value)
}

// scale sets the scale of m's link: the unit that weights are told in.
func (c *Options) scale(ctx context.Context, m *models.Linear, base *game.Game, data source) error {
	switch {
	case m.Link.Kind == models.Identity || c.Teacher != nil:
		return nil
	case c.Scale == (Scale{}):
		m.Link.Scale = 1
		return nil
	case c.Scale.Prior:
		train := func(e uint64) bool { return !data.sides.held(e) }
		s, err := learn.FitScale(ctx, c.Prior, data.samples, m.Link.Kind, base.Min, base.Max, train)
		if err != nil {
			return fmt.Errorf("scale of %s: %w", c.PriorName, err)
		}
		m.Link.Scale = s
		// From here on the prior is read on that scale, in its own units.
		prior := c.Prior.Clone()
		prior.Link = m.Link
		c.Prior = prior
		return nil
	}
	m.Link.Scale = c.Scale.Value
	return nil
}

// onLink is m with its weights on the scale of another link, so that both give
// the same utility; ok is false where no scale does that. tanh(x) is
// 2/(1+exp(-2x)) - 1, so logistic and tanh differ by a factor.
func onLink(m *models.Linear, link models.Link) (*models.Linear, bool) {
	steep := func(l models.Link) float64 {
		scale := l.Scale
		if scale == 0 {
			scale = 1
		}
		switch l.Kind {
		case models.Tanh:
			return 2 * scale
		case models.Logistic:
			return scale
		}
		return 0
	}
	from, to := steep(m.Link), steep(link)
	if (from == 0) != (to == 0) {
		return nil, false
	}
	out := m.Clone()
	out.Link = link
	if from != 0 && from != to {
		out.Bias *= from / to
		for i := range out.Weights {
			out.Weights[i] *= from / to
		}
		for i := range out.Table {
			out.Table[i] *= float32(from / to)
		}
	}
	return out, true
}
