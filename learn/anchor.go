package learn

import (
	"context"
	"errors"
	"fmt"
	"math"

	"plyfit/datasets"
	"plyfit/game"
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
	criterion := loss.Logistic{Lo: lo, Hi: hi}
	// In units of the sums' root mean square.
	square, weight := 0.0, 0.0
	pass := design.Scan
	each := func(visit func(z float64, s *datasets.Sample)) error {
		err := pass(ctx, data, m, &design.Split{}, func(s *datasets.Sample, _ bool) error {
			if s.Kind == game.Exact && (rows == nil || rows(s.Episode)) {
				visit(m.Dot(s.X), s)
			}
			return nil
		})
		pass = design.Rescan
		return err
	}
	if err := each(func(z float64, s *datasets.Sample) {
		square += float64(s.Weight * z * z)
		weight += s.Weight
	}); err != nil {
		return 0, err
	}
	if weight == 0 {
		return 0, design.ErrNoRows
	}
	if square == 0 {
		return 0, errors.New("learn: the evaluation is zero on every row: no scale fits it")
	}
	unit := 1 / math.Sqrt(square/weight)
	at := func(scale float64) (total, slope, curve float64, err error) {
		err = each(func(z float64, s *datasets.Sample) {
			z *= unit
			l, g, h := criterion.Loss(scale*z, s.Y)
			total += float64(s.Weight * l)
			slope += float64(s.Weight * g * z)
			curve += float64(s.Weight * h * z * z)
		})
		return total, slope, curve, err
	}
	scale := 0.0
	total, slope, curve, err := at(0)
	if err != nil {
		return 0, err
	}
	lower := true
	for n := 0; n < 60 && lower; n++ {
		lower = false
		least := 1e-10 * math.Max(scale, 1e-3)
		for step := slope / curve; math.Abs(step) > least && !lower; step /= 2 {
			t, g, c, err := at(scale - step)
			if err != nil {
				return 0, err
			}
			if lower = t <= total; lower {
				scale -= step
				total, slope, curve = t, g, c
			}
		}
		if scale > 1e3 {
			return 0, errors.New("learn: the sign of the evaluation tells every result: no finite scale fits")
		}
	}
	if !(scale > 1e-9) {
		return 0, errors.New("learn: the evaluation says nothing of the results, or the opposite: no positive scale fits")
	}
	scale *= unit
	if kind == models.Tanh { // 1/(1+exp(-2x)) = (1+tanh x)/2
		scale /= 2
	}
	return scale, nil
}
