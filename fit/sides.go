package fit

import (
	"math/bits"

	"plyfit/datasets"
	"plyfit/learn"
	"plyfit/learn/validate"
)

// sides says what a fit's rows have to do with one another: which episodes are
// held out, which of them belong together, and which positions stand on both
// sides or in several folds.
type sides struct {
	held  func(episode uint64) bool
	group func(episode uint64) (id uint64, alone bool) // learn.Options.Group
	folds validate.Folds
	// keep says that positions seen in training stay among the held-out rows.
	keep bool
	// rows says that what is alike are rows of a table, which need not be of one position.
	rows bool
	// known are the folds, as bits, in which a position stands in training; nil
	// where no position is known.
	known  *positionTable[uint8]
	shared bool // some position stands in more than one fold
}

// scan goes through the samples once. records is about how many there are.
func (s *sides) scan(samples datasets.Samples, records int64) error {
	s.known = newPositionTable[uint8](records)
	for row, err := range datasets.Outlines(samples) {
		if err != nil {
			return err
		}
		if row.Position == 0 || s.held(row.Episode) {
			continue
		}
		id, _ := s.group(row.Episode)
		at, _ := s.known.at(row.Position)
		*at |= 1 << s.folds.Fold(id)
		s.shared = s.shared || bits.OnesCount8(*at) > 1
	}
	return nil
}

// seen reports whether a position stands in training.
func (s *sides) seen(position uint64) bool { return position != 0 && s.known.find(position) != 0 }

// inFolds are the folds with what they share. Rows of a table that are alike need
// not be of the same position, and stay.
func (s *sides) inFolds() validate.Folds {
	f := s.folds
	if s.shared && !s.rows {
		f.Shared = func(position uint64) bool { return bits.OnesCount8(s.known.find(position)) > 1 }
	}
	return f
}

// counts reports whether a row is one of those that the held-out figures of r are
// of.
func (s *sides) counts(row *datasets.Sample, r *learn.Report) bool {
	return s.held(row.Episode) && !(r.Overlap.Apart && s.seen(row.Position))
}
