package damage

import (
	"context"

	"plyfit/game"
	"plyfit/study"
)

// Regrets are what planners with the damages give away at positions: what their choice
// is worth less than the best one, by the clean evaluation under the same planner, as a
// share of the points. A row a damage, a figure a position. Where games take long this
// stands for playing them.
func (u *Subject) Regrets(ctx context.Context, positions []game.State, assumes study.World, depth int, damages []Damage) ([][]float64, error) {
	all := []Damage{{}}
	for _, d := range damages {
		all = append(all, u.Finish(d))
	}
	w := newWalk(u.Evaluation, depth, natureOf(assumes), []float64{assumes.Slip}, all...)
	w.ctx, w.ended = ctx, false
	out := make([][]float64, len(damages))
	for _, s := range positions {
		base := game.Base(s).Clone()
		_, values := w.Values(base, base.Turn())
		if w.ended {
			return nil, ctx.Err()
		}
		best := values[firstBest(values, 0, Tolerance)][0]
		for i := range out {
			out[i] = append(out[i], (best-values[firstBest(values, 1+i, Tolerance)][0])/2)
		}
	}
	return out, nil
}
