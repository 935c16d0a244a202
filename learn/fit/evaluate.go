package fit

import (
	"context"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/learn"
)

// Evaluate is the loss of the fit over a data set that it was not fitted to, by the
// loss of the fit: over positions that do not stand in its training rows, where
// enough games have such. The report's held-out figures hold it; the constant is
// of no weights.
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
