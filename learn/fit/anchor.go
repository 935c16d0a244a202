package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"plyfit/datasets/table"
	"plyfit/internal/elementary"
	"plyfit/learn"
	"plyfit/models"
)

const (
	anchorFits = 40   // at most; five to eight are the rule
	anchored   = 1e-5 // the scale is found when it is known to this share of it
)

// atScale fits columns with the scale that suits the weights best, when frozen weights give the
// unit (a pawn that stays 100 in both phases, say). Each fit at a scale yields the scale that
// would suit its weights better, and so on which side the best one lies. The search is the
// Illinois variant of false position (M. Dowell and P. Jarratt, 1971), from the scale of a fit
// with nothing frozen.
func atScale(ctx context.Context, t *table.Table, c Options) (*Result, error) {
	if !frozenUnit(c.Frozen) {
		return nil, errors.New("a scale that is fitted, too: want a frozen weight that is not 0, which says what the unit is")
	}
	c.Scale = Scale{Value: CentipawnScale}
	at, err := c.freeScale(ctx, t)
	if err != nil {
		return nil, err
	}
	// low and high are logarithms of scales below and above the best one, up and down each fit's
	// distance to it; 0: not known yet.
	var low, high, up, down float64
	bold, side := 0.01, 0
	for range anchorFits {
		c.Scale.Value = elementary.Exp(at)
		f, err := runColumns(ctx, t, c)
		if err != nil {
			return nil, err
		}
		// The scale with which the fitted weights have the lowest loss on the training rows.
		train := func(e uint64) bool { return !f.task.data.sides.held(e) }
		own, err := learn.FitScale(ctx, f.Model, f.task.data.samples, models.Logistic, shares.Min, shares.Max, train)
		if err != nil {
			return nil, fmt.Errorf("%s: scale of the fitted weights: %w", t.File, err)
		}
		off := elementary.Log(own) - at
		switch {
		case off > 0:
			if low, up = at, off; side > 0 {
				down /= 2
			}
			side = 1
		case off < 0:
			if high, down = at, -off; side < 0 {
				up /= 2
			}
			side = -1
		}
		if off == 0 || up > 0 && down > 0 && high-low <= anchored {
			return f, nil
		}
		before := at
		switch {
		case down == 0:
			at, bold = at+bold, float64(4*bold)
		case up == 0:
			at, bold = at-bold, float64(4*bold)
		default:
			at = low + float64((high-low)*(up/(up+down)))
			// What is left on one side is next to nothing: close it from the other.
			at = max(low+anchored/2, min(at, high-anchored/2))
		}
		if math.Abs(at-before) <= anchored/4 {
			return f, nil
		}
	}
	return nil, fmt.Errorf("%s: no scale found in %d fits: the frozen weights say little of the results", t.File, anchorFits)
}

// freeScale is the logarithm of the scale at which unfrozen weights come nearest to the frozen
// ones.
func (c Options) freeScale(ctx context.Context, t *table.Table) (float64, error) {
	frozen := c.Frozen
	c.Frozen = nil
	f, err := runColumns(ctx, t, c)
	if err != nil {
		return 0, err
	}
	along, square := 0.0, 0.0
	for i, free := range f.Model.Weights { // in their order: a sum's last digits follow from it
		w := frozen[f.Model.Name(int32(i))]
		along += float64(w * free)
		square += float64(w * w)
	}
	if !(along > 0) {
		return elementary.Log(CentipawnScale), nil
	}
	return elementary.Log(CentipawnScale * along / square), nil
}

// frozenUnit reports whether any frozen weight says what the unit is.
func frozenUnit(frozen map[string]float64) bool {
	for _, w := range frozen {
		if w != 0 {
			return true
		}
	}
	return false
}
