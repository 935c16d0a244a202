package fit

import (
	"context"
	"fmt"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/models"
)

// Parts fits as f was fitted to n disjoint parts of its training episodes, about equal,
// each of whole groups of games that meet: how much a model gains by its games, fits to
// fewer tell.
func (f *Result) Parts(ctx context.Context, n int) ([]*models.Linear, error) {
	if f.Options.Method.Episodes != nil {
		return nil, fmt.Errorf("method %s: learns from what followed: want one that learns from labels", f.Options.Method)
	}
	quick := f.options
	quick.NoErrors, quick.Baselines = true, nil
	var out []*models.Linear
	for part := range n {
		m := f.blank.Clone()
		rows := learn.Filter{Data: f.Samples, Keep: func(s *datasets.Sample) bool {
			id, _ := f.data.sides.group(s.Episode)
			return f.data.sides.held(s.Episode) || game.Mix(id^0x9a27)%uint64(n) == uint64(part)
		}}
		if _, err := f.Options.learner(f.loss, f.Model.Len(), quick).Learn(ctx, m, rows); err != nil {
			return nil, fmt.Errorf("part %d of %d of the games: %w", part+1, n, err)
		}
		out = append(out, m)
	}
	return out, nil
}
