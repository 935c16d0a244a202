package learn

import (
	"context"
	"errors"
	"fmt"
	"math"

	"plyfit/datasets"
	"plyfit/learn/internal/design"
	"plyfit/learn/loss"
	"plyfit/models"
)

// FitScale returns the scale of a link, [models.Logistic] or [models.Tanh], at which an evaluation
// in its own units (pawns, discs) fits results: it minimises the logistic loss of link(scale z),
// where z is m's weighted sum and labels lie in [lo, hi]. Fit it once and anchor it from then on:
// the scale of an evaluation is not identified together with its weights.
//
// Newton's method in one dimension, one pass a step, until a step is below 1e-10 of the scale or
// only such steps lower the loss; the rest is rounding. It is an error if the sums do not predict
// the labels, predict them the wrong way round, or predict all of them.
func FitScale(ctx context.Context, m *models.Linear, data datasets.Samples, kind models.LinkKind, lo, hi float64, rows func(episode uint64) bool) (float64, error) {
	if kind != models.Logistic && kind != models.Tanh {
		panic(fmt.Sprintf("learn: FitScale of link %q", kind))
	}
	f := &plattFit{ctx: ctx, model: m, data: data, unit: 1, criterion: loss.Logistic{Lo: lo, Hi: hi}, rows: rows}
	now, err := f.at(0, 0)
	if err != nil {
		return 0, err
	}
	if now.weight == 0 {
		return 0, design.ErrNoRows
	}
	square := 4 * now.h[0] // the curvature of every row is 1/4 there
	if square == 0 {
		return 0, errors.New("learn: the evaluation is zero on every row: no scale fits it")
	}
	f.unit = 1 / math.Sqrt(square/now.weight) // of the root mean square of the sums
	scale := 0.0
	if now, err = f.at(0, 0); err != nil {
		return 0, err
	}
	lower := true
	for n := 0; n < 60 && lower; n++ {
		lower = false
		least := 1e-10 * math.Max(scale, 1e-3)
		for step := now.g[0] / now.h[0]; math.Abs(step) > least && !lower; step /= 2 {
			next, err := f.at(scale-step, 0)
			if err != nil {
				return 0, err
			}
			if lower = next.total <= now.total; lower {
				scale, now = scale-step, next
			}
		}
		if scale > 1e3 {
			return 0, errors.New("learn: the sign of the evaluation tells every result: no finite scale fits")
		}
	}
	if !(scale > 1e-9) {
		return 0, errors.New("learn: the evaluation says nothing of the results, or the opposite: no positive scale fits")
	}
	scale *= f.unit
	if kind == models.Tanh { // 1/(1+exp(-2x)) = (1+tanh x)/2
		scale /= 2
	}
	return scale, nil
}
