package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"plyfit/game"
	"plyfit/internal/spec"
	"plyfit/learn"
	"plyfit/learn/validate"
	"plyfit/models"
)

// Width is the standard deviation of a normal prior about columns' prior weights, in the weights'
// own unit. The zero value is no such prior.
type Width struct {
	Value float64            // of every column; 0: as far as they like
	Auto  bool               // choose Value of [widths] by folds of the training games
	By    map[string]float64 // of some columns, in place of Value
	Usual bool               // [usualWidth], in whatever unit the weights are
}

// usualWidth is in centipawns. Of ten fits to an outside engine, those without a prior lost, and
// those with a width of 12 about its own weights did not (docs/tune.md).
const usualWidth = 12

// widths are those tried, from nearly fixed to nearly free weights, in a unit of which 400 are a
// factor of ten in the odds, like centipawns.
var widths = []float64{200, 100, 50, 25, 12, 6, 3}

// asked reports whether any column has a width.
func (w *Width) asked() bool { return w.Value > 0 || w.Auto || w.Usual || len(w.By) > 0 }

// String is the width as the command writes it.
func (w Width) String() string {
	if w.Auto {
		return "auto"
	}
	return fmt.Sprint(w.Value)
}

// Set reads a width: a number above 0, auto or none.
func (w *Width) Set(text string) error {
	x, ok := spec.Decimal(text)
	switch {
	case text == "none", text == "auto":
		*w = Width{Auto: text == "auto"}
	case ok && x > 0:
		*w = Width{Value: x}
	default:
		return errors.New("want a number above 0, in the unit of the weights, auto or none")
	}
	return nil
}

// effectiveRows is how many independent rows carry the training rows' information; 0: no width
// asked.
func (f *Result) effectiveRows() float64 {
	if f.Repeated == 0 {
		return 0
	}
	return float64(f.Report.Rows) / f.Repeated
}

// of is the width of a feature of m, whose columns are blocks of it.
func (w *Width) of(m *models.Linear, value float64) func(feature int32) float64 {
	by := make([]float64, m.Len())
	at := 0
	for _, b := range m.Blocks {
		for range b.Len {
			if by[at] = value; w.By[b.Name] > 0 {
				by[at] = w.By[b.Name]
			}
			at++
		}
	}
	return func(feature int32) float64 {
		if feature < 0 {
			return 0
		}
		return by[feature]
	}
}

// widen gives a task the width of the prior, chosen if asked for, and finds how many rows count as
// one.
func (c *Options) widen(ctx context.Context, f *Result, m *models.Linear, base *game.Game) (err error) {
	if !c.Width.asked() {
		return nil
	}
	if c.Loss != CrossEntropy || c.Method.solver(m.Len()) != Newton {
		return fmt.Errorf("prior width %s: want loss logistic and method newton", c.Width)
	}
	if c.Width.Usual {
		c.Width.Value = usualWidth * CentipawnScale / m.Link.Scale
	}
	t := &f.task
	near := cmp.Or(c.Start, m)
	if t.options.Repeated, err = learn.DesignEffect(ctx, near, t.data.samples, c.loss(m.Link, base), t.options); err != nil {
		return err
	}
	if c.Width.Auto {
		if c.Width.Value, err = c.bestWidth(ctx, *t); err != nil {
			return fmt.Errorf("%s: prior width: %w", t.data.name, err)
		}
	}
	t.options.Width, f.Repeated = c.Width.of(m, c.Width.Value), t.options.Repeated
	return nil
}

// bestWidth is that of the widths whose fits lose least on folds of the training games.
func (c *Options) bestWidth(ctx context.Context, t task) (float64, error) {
	folds := t.data.sides.inFolds()
	// What is tried is a number by which weights are drawn: of the width w, 1/w.
	unit := CentipawnScale / t.blank.Link.Scale
	for _, w := range widths {
		folds.Penalties = append(folds.Penalties, 1/(w*unit))
	}
	penalty := t.options.Penalty
	cv, err := validate.CrossValidateFits(ctx, t.blank.Clone(), t.data.samples, t.options, folds, func(o learn.Options) learn.Learner {
		o.Width = c.Width.of(t.blank, 1/o.Penalty)
		o.Penalty = penalty
		return c.learner(t.loss, t.blank.Len(), o)
	})
	if err != nil {
		return 0, err
	}
	best := 1 / cv.Best
	return math.Round(best*1e6/unit) / 1e6 * unit, nil
}
