package fit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"plyfit/datasets/table"
	"plyfit/internal/elementary"
	"plyfit/learn"
	"plyfit/models"
)

const (
	anchorFits = 40   // maximum number of fits; five to eight are typical
	anchored   = 1e-5 // relative precision of the fitted scale
)

// atScale fits the weights and the scale together. Frozen weights define the unit. For example, a
// pawn may stay at 100 in both phases.
//
// Each fit at a given scale also yields the scale that suits the fitted weights best, and thus
// shows whether the given scale is too low or too high. The search is the Illinois variant of false
// position (M. Dowell and P. Jarratt, 1971). It starts at the scale of a fit without frozen
// weights.
func atScale(ctx context.Context, t *table.Table, c Options) (*Result, error) {
	frozen := slices.Collect(maps.Values(c.Frozen))
	if !slices.ContainsFunc(frozen, func(w float64) bool { return w != 0 }) {
		return nil, errors.New("a fitted scale needs a unit; freeze a non-zero weight")
	}
	c.Scale = Scale{Value: CentipawnScale}
	at, err := c.freeScale(ctx, t)
	if err != nil {
		return nil, err
	}
	// low and high are logarithms of scales that bracket the solution. up and down are the errors
	// of the fits at these scales, or 0 for an error that is not yet known.
	var low, high, up, down float64
	step, side := 0.01, 0
	for range anchorFits {
		c.Scale.Value = elementary.Exp(at)
		f, err := runColumns(ctx, t, c)
		if err != nil {
			return nil, err
		}
		// own is the scale at which the fitted weights have the lowest loss on the training rows.
		train := func(e uint64) bool { return !f.task.data.split.held(e) }
		own, err := learn.FitScale(ctx, f.Model, f.task.data.samples, models.Logistic, shares.Min, shares.Max, train)
		if err != nil {
			return nil, fmt.Errorf("%s: scale of the fitted weights: %w", t.File, err)
		}
		gap := elementary.Log(own) - at
		switch {
		case gap > 0:
			if low, up = at, gap; side > 0 {
				down /= 2
			}
			side = 1
		case gap < 0:
			if high, down = at, -gap; side < 0 {
				up /= 2
			}
			side = -1
		}
		if gap == 0 || up > 0 && down > 0 && high-low <= anchored {
			return f, nil
		}
		before := at
		switch {
		case down == 0:
			at, step = at+step, float64(4*step)
		case up == 0:
			at, step = at-step, float64(4*step)
		default:
			at = low + float64((high-low)*(up/(up+down)))
			// If one end is almost exact, close the bracket from the other end.
			at = max(low+anchored/2, min(at, high-anchored/2))
		}
		if math.Abs(at-before) <= anchored/4 {
			return f, nil
		}
	}
	return nil, fmt.Errorf("%s: no scale found in %d fits; the results depend too little on the frozen weights", t.File, anchorFits)
}

// freeScale returns the logarithm of the scale at which a fit without frozen weights comes closest
// to the frozen weights.
func (c Options) freeScale(ctx context.Context, t *table.Table) (float64, error) {
	frozen := c.Frozen
	c.Frozen = nil
	f, err := runColumns(ctx, t, c)
	if err != nil {
		return 0, err
	}
	along, square := 0.0, 0.0
	for i, free := range f.Model.Weights { // in a fixed order, so that the sum is reproducible
		w := frozen[f.Model.Name(int32(i))]
		along += float64(w * free)
		square += float64(w * w)
	}
	if !(along > 0) {
		return elementary.Log(CentipawnScale), nil
	}
	return elementary.Log(CentipawnScale * along / square), nil
}
