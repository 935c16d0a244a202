package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/learn/loss"
	"plyfit/learn/validate"
	"plyfit/models"
)

// Methods of fitting.
const (
	Ridge    = "ridge"    // least squares on the label, by normal equations (by QR where they are ill-conditioned)
	QR       = "qr"       // the same, always by QR
	Elastic  = "elastic"  // least squares that leaves weights at the prior which the data hardly need
	Logistic = "logistic" // the logistic loss, by Newton, or by LBFGS where features are many
	Newton   = "newton"
	LBFGS    = "lbfgs"
	AdaGrad  = "adagrad"
	LSTD     = "lstd" // least-squares temporal differences over the episodes
)

// Methods are all of them.
var Methods = []string{Ridge, QR, Elastic, Logistic, Newton, LBFGS, AdaGrad, LSTD}

// Losses of Newton, LBFGS and AdaGrad.
const (
	LogisticLoss = "logistic" // cross-entropy of the expected share of the point, draws as halves
	SquaredLoss  = "squared"  // squared difference from the label, after the link
)

// manyFeatures is where Logistic leaves Newton's method, which needs features
// squared, for LBFGS.
const manyFeatures = 1500

// completeSolver fills in loss and link.
func (c *Options) completeSolver(base *game.Game) error {
	if !slices.Contains(Methods, c.Method) {
		return fmt.Errorf("method %q: want %s or %s", c.Method, strings.Join(Methods[:len(Methods)-1], ", "), LSTD)
	}
	bounded := !math.IsInf(base.Max-base.Min, 0)
	iterative := slices.Contains([]string{Logistic, Newton, LBFGS, AdaGrad}, c.Method)
	switch {
	case c.Method == Logistic && !bounded:
		return fmt.Errorf("method %s: want %s or %s in %s, whose utilities have no bounds", Logistic, Ridge, LSTD, base.Name)
	case c.Method == Logistic && c.Teacher != nil, c.Teacher != nil && c.Loss == LogisticLoss:
		return errors.New("a teacher's sums are no results: want least squares, by method ridge, qr, elastic, lbfgs or adagrad")
	case !iterative && c.Loss != "" && c.Loss != SquaredLoss:
		return fmt.Errorf("loss %s: method %s is least squares: want method %s, %s or %s", c.Loss, c.Method, Newton, LBFGS, AdaGrad)
	case c.Method == Logistic && c.Loss == SquaredLoss:
		return fmt.Errorf("loss %s: want method %s, %s or %s", c.Loss, Newton, LBFGS, AdaGrad)
	case c.Loss != "" && c.Loss != LogisticLoss && c.Loss != SquaredLoss:
		return fmt.Errorf("loss %q: want %s or %s", c.Loss, LogisticLoss, SquaredLoss)
	case c.Loss == LogisticLoss && !bounded:
		return fmt.Errorf("loss %s: want %s in %s, whose utilities have no bounds", LogisticLoss, SquaredLoss, base.Name)
	case c.L1 != 0 && c.Method != Elastic, c.L1 != 0 && !(c.L1 > 0 && c.L1 <= 1):
		return fmt.Errorf("l1=%v: want a share above 0 and at most 1, of method %s", c.L1, Elastic)
	case c.Rate != 0 && (c.Method != AdaGrad || !(c.Rate > 0) || math.IsInf(c.Rate, 0)):
		return fmt.Errorf("rate=%v: want a positive number, of method %s", c.Rate, AdaGrad)
	case c.Steps != 0 && !iterative:
		return fmt.Errorf("steps=%d: method %s takes none", c.Steps, c.Method)
	case c.Patience != 0 && c.Method != LBFGS && c.Method != AdaGrad:
		return fmt.Errorf("patience=%d: want method %s or %s", c.Patience, LBFGS, AdaGrad)
	case c.Auto && c.Method == LSTD:
		return fmt.Errorf("penalty auto: want a method other than %s", LSTD)
	}
	if c.Loss == "" {
		c.Loss = SquaredLoss
		if iterative && bounded && c.Teacher == nil {
			c.Loss = LogisticLoss
		}
	}
	if c.Link == "" {
		c.Link = models.Identity
		if iterative && bounded && c.Teacher == nil {
			c.Link = models.Logistic
		}
	}
	switch {
	case c.Link != models.Identity && c.Link != models.Logistic && c.Link != models.Tanh:
		return fmt.Errorf("link %q: want %s, %s or %s", c.Link, models.Identity, models.Logistic, models.Tanh)
	case c.Link != models.Identity && (!iterative || c.Teacher != nil):
		return fmt.Errorf("link %s: this fit is of the sum itself: want none", c.Link)
	case c.Link != models.Identity && !bounded:
		return fmt.Errorf("link %s: want %s in %s, whose utilities have no bounds", c.Link, models.Identity, base.Name)
	case c.Link == models.Identity && c.Loss == LogisticLoss:
		return fmt.Errorf("link %s: sums are no probabilities: want %s or %s for loss %s", c.Link, models.Logistic, models.Tanh, LogisticLoss)
	case c.Scale != "" && c.Link == models.Identity:
		return fmt.Errorf("scale %s: method %s has link %s, which has no scale", c.Scale, c.Method, c.Link)
	case c.Scale == "prior" && c.Prior == nil:
		return errors.New("scale prior: want a prior")
	}
	return nil
}

// scale sets the scale of m's link: the unit that weights are told in.
func (c *Options) scale(ctx context.Context, m *models.Linear, base *game.Game, data source) error {
	switch {
	case m.Link.Kind == models.Identity || c.Teacher != nil:
		return nil
	case c.Scale == "":
		m.Link.Scale = 1
		return nil
	case c.Scale == "prior":
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
	s, err := strconv.ParseFloat(c.Scale, 64)
	if err != nil || !(s > 0) || math.IsInf(s, 0) {
		return fmt.Errorf("scale %q: want a positive number or prior", c.Scale)
	}
	m.Link.Scale = s
	return nil
}

// loss is what is minimised; nil for least squares on the sum itself.
func (c *Options) loss(link models.Link, base *game.Game) loss.Function {
	if c.Loss == LogisticLoss {
		return loss.ForLink(link, base.Min, base.Max)
	}
	if link.Kind == models.Identity || c.Teacher != nil {
		return loss.Squared{}
	}
	return loss.Squared{Link: link, Lo: base.Min, Hi: base.Max}
}

// learner is what fits with these options; nil for LSTD.
func (c *Options) learner(loss loss.Function, features int, o learn.Options) learn.Learner {
	switch c.solver(features) {
	case Ridge:
		return learn.Ridge{Options: o}
	case QR:
		return learn.Ridge{Options: o, Orthogonal: true}
	case Elastic:
		return learn.ElasticNet{Options: o, Mix: c.L1}
	case Newton:
		return learn.Newton{Options: o, Loss: loss, Steps: c.Steps}
	case LBFGS:
		return learn.LBFGS{Options: o, Loss: loss, Steps: c.Steps, Patience: c.Patience, Cache: fitCache}
	case AdaGrad:
		return learn.AdaGrad{Options: o, Loss: loss, Rate: c.Rate, Epochs: c.Steps, Patience: c.Patience}
	}
	return nil
}

// fitCache is how many bytes of rows LBFGS keeps in memory; more come back from
// the file that the samples are kept in.
const fitCache = 64 << 20

// solver is the method with Logistic's choice made.
func (c *Options) solver(features int) string {
	if c.Method != Logistic {
		return c.Method
	}
	if features > manyFeatures {
		return LBFGS
	}
	return Newton
}

// learn fits m.
func (c *Options) learn(ctx context.Context, t task, o learn.Options, m *models.Linear) (learn.Report, error) {
	if c.Method == LSTD {
		return learn.LSTD{Options: o, Lambda: c.Lambda}.Learn(ctx, m, t.data.steps)
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
	var cv validate.CrossValidation
	var err error
	switch c.solver(m.Len()) {
	case Ridge, QR:
		cv, err = validate.CrossValidate(ctx, m, t.data.samples, o, folds)
	case Elastic:
		if folds.Mix = c.L1; folds.Mix == 0 {
			folds.Mix = 0.5
		}
		if penalties == nil { // with next to none there is nothing to leave out, and much to iterate
			folds.Penalties = []float64{1e-3, 1e-2, 0.03, 0.1, 0.3, 1}
		}
		cv, err = validate.CrossValidate(ctx, m, t.data.samples, o, folds)
	default:
		if penalties == nil { // not 0, at which results that can be told without error have no fit
			folds.Penalties = []float64{1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1}
		}
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
