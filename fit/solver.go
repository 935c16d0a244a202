package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/learn/loss"
	"plyfit/learn/validate"
	"plyfit/models"
)

// completeSolver fills in loss and link.
func (c *Options) completeSolver(base *game.Game) error {
	bounded := !math.IsInf(base.Max-base.Min, 0)
	m := c.Method
	squares, entropy := m.minimises(SquaredError), m.minimises(CrossEntropy)
	both := alternatives(func(m *Method) bool { return len(m.Losses) > 1 })
	reads := func(option string) string { return alternatives(func(m *Method) bool { return m.reads(option) }) }
	switch {
	case !squares && !bounded:
		return fmt.Errorf("method %s: want %s or %s in %s, whose utilities have no bounds", m, Ridge, LSTD, base.Name)
	case c.Teacher != nil && (!squares || c.Loss == CrossEntropy):
		return errors.New("a teacher's sums are no results: want least squares, by method ridge, qr, elastic, lbfgs or adagrad")
	case c.Loss != "" && c.Loss != SquaredError && !m.Linked:
		return fmt.Errorf("loss %s: method %s is least squares: want method %s", c.Loss, m, both)
	case c.Loss == SquaredError && !squares:
		return fmt.Errorf("loss %s: want method %s", c.Loss, both)
	case c.Loss != "" && c.Loss != CrossEntropy && c.Loss != SquaredError:
		return fmt.Errorf("loss %q: want %s or %s", c.Loss, CrossEntropy, SquaredError)
	case c.Loss == CrossEntropy && !bounded:
		return fmt.Errorf("loss %s: want %s in %s, whose utilities have no bounds", CrossEntropy, SquaredError, base.Name)
	case c.L1 != 0 && !m.reads("l1"), c.L1 != 0 && !(c.L1 > 0 && c.L1 <= 1):
		return fmt.Errorf("l1=%v: want a share above 0 and at most 1, of method %s", c.L1, reads("l1"))
	case c.Rate != 0 && (!m.reads("rate") || !(c.Rate > 0) || math.IsInf(c.Rate, 0)):
		return fmt.Errorf("rate=%v: want a positive number, of method %s", c.Rate, reads("rate"))
	case c.Steps != 0 && !m.reads("steps"):
		return fmt.Errorf("steps=%d: method %s takes none", c.Steps, m)
	case c.Patience != 0 && !m.reads("patience"):
		return fmt.Errorf("patience=%d: want method %s", c.Patience, reads("patience"))
	case c.Auto && m.Episodes != nil:
		return fmt.Errorf("penalty auto: want a method other than %s", m)
	}
	if c.Loss == "" {
		c.Loss = SquaredError
		if entropy && bounded && c.Teacher == nil {
			c.Loss = CrossEntropy
		}
	}
	return c.completeLink(base, bounded)
}

// completeLink fills in the link, and finds a scale that cannot be.
func (c *Options) completeLink(base *game.Game, bounded bool) error {
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
		return fmt.Errorf("link %s: want %s in %s, whose utilities have no bounds", c.Link, models.Identity, base.Name)
	case c.Link == models.Identity && c.Loss == CrossEntropy:
		return fmt.Errorf("link %s: sums are no probabilities: want %s or %s for loss %s", c.Link, models.Logistic, models.Tanh, CrossEntropy)
	case c.Scale != (Scale{}) && c.Link == models.Identity:
		return fmt.Errorf("scale %s: method %s has link %s, which has no scale", c.Scale, m, c.Link)
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
	return m.Learner(c, Problem{Loss: criterion, Features: features, Options: o})
}

// learn fits m.
func (c *Options) learn(ctx context.Context, t task, o learn.Options, m *models.Linear) (learn.Report, error) {
	if c.Method.Episodes != nil {
		return c.Method.Episodes(c, Problem{Features: m.Len(), Options: o}).Learn(ctx, m, t.data.steps)
	}
	return c.learner(t.loss, m.Len(), o).Learn(ctx, m, t.data.samples)
}

// stop is the step at which a fit to four fifths of the training episodes has the
// least loss on the others, no later one coming lower within Patience.
func (c *Options) stop(ctx context.Context, t task) (int, error) {
	sides := t.data.sides
	o, folds := t.options, sides.inFolds()
	train := learn.Filter{Data: t.data.samples, Keep: func(s *datasets.Sample) bool { return !sides.held(s.Episode) }}
	o.NoErrors, o.Baselines = true, nil
	o.HeldOut = func(e uint64) bool { id, _ := sides.group(e); return folds.Fold(id) == 0 }
	o.Seen, o.KeepSeen = folds.Shared, false
	m := t.blank.Clone()
	r, err := c.learner(t.loss, m.Len(), o).Learn(ctx, m, train)
	if err == nil && r.Best == 0 {
		err = fmt.Errorf("patience=%d: no training episode is left to say when to stop: want more episodes", c.Patience)
	}
	return r.Best, err
}

// validate tries penalties on folds of the training episodes; nil penalties are
// the usual ones. Least squares take one pass for all of them; others fit anew
// for every fold and penalty.
func (c *Options) validate(ctx context.Context, t task, penalties []float64) (*validate.CrossValidation, error) {
	o, m := t.options, t.blank.Clone()
	folds := t.data.sides.inFolds()
	folds.Penalties = penalties
	method := c.Method.solver(m.Len())
	if penalties == nil {
		folds.Penalties = method.Grid
	}
	if method.reads("l1") {
		if folds.Mix = c.L1; folds.Mix == 0 {
			folds.Mix = 0.5
		}
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
