package learn

import (
	"slices"

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
	if !f.rows.Stays() || f.counted || f.rows.Of() < leastRows {
		return nil
	}
	part := *f
	part.report, part.evidence = new(Report), newEvidence(f.design.Width())
	part.fitted, part.w = f.model.Clone(), slices.Clone(f.prior)
	part.Steps, part.Tolerance = 12, 1e-6
	part.rows = f.rows.Part(func(i int) bool { return game.Mix(uint64(i))%partOf == 0 })
	part.evidence.Rows = int64(part.rows.Len())
	if part.evidence.Rows == 0 {
		return nil
	}
	part.evidence.Weight = float64(part.evidence.Rows) * f.evidence.Weight / float64(f.evidence.Rows)
	part.draw = slices.Clone(f.draw)
	for c := range part.draw {
		part.draw[c] /= partOf
	}
	first, err := part.scan()
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
