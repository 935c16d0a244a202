package learn

import (
	"errors"
	"slices"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/internal/design"
)

// Fitting a sixteenth of many rows in memory first leaves two or three passes over all rows
// instead of six to eight.
const (
	partOf    = 16      // a power of two
	leastRows = 1 << 17 // of which that pays
)

// approach moves the weights to the minimum over a part of the training rows, if it has one.
func (f *newtonFit) approach() error {
	data, ok := f.data.(datasets.Dense)
	if !ok || f.counted {
		return nil
	}
	if rows, _ := data.Rows(); rows < leastRows {
		return nil
	}
	part := *f
	part.report, part.evidence = new(Report), newEvidence(f.design.Width())
	part.passes = &design.Passes{Columns: f.design.Width(), Workers: f.Workers}
	part.fitted, part.w = f.model.Clone(), slices.Clone(f.prior)
	part.Steps, part.Tolerance = 12, 1e-6
	chosen := func(i int) bool { return game.Mix(uint64(i))%partOf == 0 }
	if f.laid != nil {
		part.laid = f.laid.Part(chosen)
		part.evidence.Rows = int64(part.laid.Len())
		part.evidence.Weight = float64(part.evidence.Rows) * f.evidence.Weight / float64(max(1, f.evidence.Rows))
	} else {
		rows, err := f.part(chosen)
		if err != nil {
			return err
		}
		part.data, part.HeldOut, part.Seen = rows, nil, nil
	}
	part.draw = slices.Clone(f.draw)
	for c := range part.draw {
		part.draw[c] /= partOf
	}
	first, err := part.scan()
	if errors.Is(err, design.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	// Columns of few rows may run away, as results in a part of theirs happen to agree.
	for c, support := range part.evidence.Support {
		part.solvable[c] = part.solvable[c] && support >= lowSupport
	}
	converged, err := part.descend(first)
	if err != nil {
		return err
	}
	if f.near = converged && design.Finite(f.design, part.w) == nil; f.near {
		f.w = part.w
	}
	return nil
}

// part are the training rows that chosen tells by their place among them, in memory.
func (f *newtonFit) part(chosen func(i int) bool) (kept datasets.Rows, err error) {
	i := -1
	err = design.Scan(f.ctx, f.data, f.model, f.split(), func(s *datasets.Sample, held bool) error {
		if held {
			return nil
		}
		if i++; chosen(i) {
			row := *s
			row.X = slices.Clone(s.X)
			kept = append(kept, row)
		}
		return nil
	})
	return kept, err
}
