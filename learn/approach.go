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
	part, of, tally := *f, *f.fitting, *f.Tally
	part.fitting, of.Tally = &of, &tally
	of.report, of.fitted, part.w = new(Report), f.model.Clone(), slices.Clone(f.prior)
	part.steps, part.tolerance = 12, 1e-6
	of.rows = f.rows.Part(func(i int) bool { return game.Mix(uint64(i))%partOf == 0 })
	if tally.Rows = int64(of.rows.Len()); tally.Rows == 0 {
		return nil
	}
	tally.Weight = float64(tally.Rows) * f.Weight / float64(f.Rows)
	part.draw = slices.Clone(f.draw)
	for c := range part.draw {
		part.draw[c] /= partOf
	}
	first, err := part.scan()
	if err != nil {
		return err
	}
	// Columns of few rows may run away, as results in a part of theirs happen to agree.
	for c, support := range part.Support {
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
