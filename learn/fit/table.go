package fit

import (
	"context"
	"fmt"
	"io"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/datasets/table"
	"plyfit/features"
	"plyfit/learn/validate"
)

// tableWidth is the maximum number of features of a dense table.
const tableWidth = 10000

// WriteTable writes samples as a CSV table with one column for each feature of set.
func WriteTable(ctx context.Context, out io.Writer, set features.Set, samples datasets.Samples) error {
	names, err := columns(set)
	if err != nil {
		return err
	}
	return table.Write(ctx, out, names, samples)
}

func columns(set features.Set) ([]string, error) {
	var names []string
	n := 0
	for _, b := range set.Blocks() {
		if n += b.Len; n > tableWidth {
			return nil, fmt.Errorf("feature set %s: too wide for a table; use a set of at most %d features", set.Name(), tableWidth)
		}
		for i := range b.Len {
			names = append(names, b.FeatureName(i))
		}
	}
	return names, nil
}

// RunTable fits a model of w to a table whose unit is [table.Utility]. The columns of the table are
// features of c.Set, matched by name. Features without a column are 0. The model has a bias only if
// the table has a column named bias. The labels come from the table, so c.Label must be the zero
// value.
func RunTable(ctx context.Context, w *catalog.World, t *table.Table, c Options) (*Result, error) {
	if c.Label != (Label{}) {
		return nil, fmt.Errorf("label %s: %s contains its own labels", c.Label, t.File)
	}
	if c.selects() || c.Proven == dropProven || c.Teacher != nil {
		return nil, fmt.Errorf("%s contains no positions; use a data set for quiet or distinct positions, leaves, proven values and teachers", t.File)
	}
	if c.Method != nil && c.Method.Episodes != nil {
		return nil, fmt.Errorf("method %s: want %s or %s, because %s does not contain the order of positions", c.Method, Ridge, LogisticRegression, t.File)
	}
	if err := c.Complete(w); err != nil {
		return nil, err
	}
	c.Label = Label{kind: byTable}
	set, err := w.Set(c.Set)
	if err != nil {
		return nil, err
	}
	names, err := columns(set)
	if err != nil {
		return nil, err
	}
	index := make(map[string]int32, len(names))
	for i, name := range names {
		index[name] = int32(i)
	}
	var to []int32
	for _, name := range t.Columns {
		i, ok := index[name]
		if !ok {
			return nil, fmt.Errorf("%s: column %q: want a feature of %s, or episode, weight, kind, bias, label", t.File, name, set.Name())
		}
		to = append(to, i)
	}
	base := w.Base()
	slack := float64(1e-9 * (base.Max - base.Min))
	row := 0
	for s := range datasets.Outlines(t) { // a table in memory returns no errors
		if row++; s.Y < base.Min-slack || s.Y > base.Max+slack {
			return nil, fmt.Errorf("%s: row %d of the samples: label %v: want a utility of %s, from %v to %v", t.File, row, s.Y, w.Spec, base.Min, base.Max)
		}
	}
	from, err := c.ofTable(t.Renumbered(to), nil)
	if err != nil {
		return nil, err
	}
	f, err := c.ofGame(ctx, w, set, from)
	if err == nil {
		f.Report.Notes = append(f.Report.Notes, t.Notes()...)
	}
	return f, err
}

// ofTable returns the input for a fit to the rows of a table. The function group assigns episodes
// to groups; if it is nil, each episode is a separate group.
func (c *Options) ofTable(t *table.Table, group func(episode uint64) (id uint64, alone bool)) (source, error) {
	if group == nil {
		group = func(episode uint64) (uint64, bool) { return episode, true }
	}
	held, err := c.HeldOut.held(c.Seed, group, nil)
	if err != nil {
		return source{}, err
	}
	// A table contains no positions, so rows are compared by their features.
	s := &split{held: held, group: group, folds: validate.Folds{Seed: c.Seed}, keep: true, rows: true}
	return source{name: t.File, digest: t.Digest, samples: t, split: s}, s.scan(t, int64(t.Len()))
}
