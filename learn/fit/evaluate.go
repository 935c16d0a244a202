package fit

import (
	"context"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/learn"
)

// Evaluate measures the fit by its own loss over a data set it was not fitted to, only at
// positions outside its training rows if enough games have them. The result is the report's
// held-out figures; its constant is that of zero weights.
func (f *Result) Evaluate(ctx context.Context, w *catalog.World, data *datasets.Set) (learn.Report, error) {
	groups, err := newGroups(w.Game, f.Set, materialOf(data))
	if err != nil {
		return learn.Report{}, err
	}
	rows, err := f.Options.rows(ctx, w, data, f.Set, groups)
	if err != nil {
		return learn.Report{}, err
	}
	return learn.Evaluate(ctx, f.Model, rows, f.loss, 0, learn.Options{Group: groups.group, Seen: f.data.sides.knows})
}
