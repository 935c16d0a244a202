package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/spec"
	"plyfit/learn"
	"plyfit/learn/validate"
	"plyfit/models"
)

// Width is the standard deviation of a normal prior centred at the columns' prior weights, in units
// of the weights. The zero value means that there is no such prior.
type Width struct {
	Value float64            // width of every column; 0 means unlimited
	Auto  bool               // choose Value from [widths] by cross-validation on the training games
	By    map[string]float64 // widths of some columns, which replace Value
	Usual bool               // use [usualWidth], converted to the unit of the weights
}

// usualWidth is the default width in centipawns. In ten fits for an external engine, weights fitted
// without a prior lost games, whereas weights fitted with a width of 12 around the engine's own
// weights did not (docs/tune.md).
const usualWidth = 12

// widths lists the widths that Auto tries, in centipawns: from nearly free to nearly fixed weights.
// In this unit, 400 corresponds to a factor of ten in the odds.
var widths = []float64{200, 100, 50, 25, 12, 6, 3}

// String returns the width in the syntax of the command.
func (w Width) String() string {
	if w.Auto {
		return "auto"
	}
	return fmt.Sprint(w.Value)
}

// Set parses a width: a number above 0, auto or none.
func (w *Width) Set(text string) error {
	x, ok := spec.Decimal(text)
	switch {
	case text == "none", text == "auto":
		*w = Width{Auto: text == "auto"}
	case ok && x > 0:
		*w = Width{Value: x}
	default:
		return errors.New("want auto, none or a number above 0 in the unit of the weights")
	}
	return nil
}

// effectiveRows returns the number of independent rows that would carry the same information as the
// training rows. It returns 0 if no width is set.
func (f *Result) effectiveRows() float64 {
	if f.Repeated == 0 {
		return 0
	}
	return float64(f.Report.Rows) / f.Repeated
}

// of returns a function that maps a feature of m to its prior width. The blocks of m are the
// columns.
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

// applyWidth sets the prior width of f's task. If Auto is set, it chooses the width. It also
// estimates the number of rows that together carry as much information as one independent row.
func (c *Options) applyWidth(ctx context.Context, f *Result, m *models.Linear, base *game.Game) (err error) {
	if w := &c.Width; !(w.Value > 0 || w.Auto || w.Usual || len(w.By) > 0) {
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

// bestWidth returns the width with the lowest loss in a cross-validation over folds of the training
// games.
func (c *Options) bestWidth(ctx context.Context, t task) (float64, error) {
	folds := t.data.split.inFolds()
	// Cross-validation chooses a penalty, which is 1/w for the width w.
	unit := CentipawnScale / t.blank.Link.Scale
	folds.Penalties = list.Map(widths, func(w float64) float64 { return 1 / (w * unit) })
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
