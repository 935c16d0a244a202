package fit

import (
	"math/bits"
	"slices"

	"plyfit/datasets"
	"plyfit/internal/hashed"
	"plyfit/learn"
	"plyfit/learn/validate"
)

// sides relates a fit's rows: which episodes are held out, which form groups, and which positions
// occur on both sides or in several folds.
type sides struct {
	held  func(episode uint64) bool
	group func(episode uint64) (id uint64, alone bool) // learn.Options.Group
	folds validate.Folds
	// keep says that positions seen in training stay among the held-out rows.
	keep bool
	// rows says that what is alike are rows of a table, which need not be of one position.
	rows bool
	// known are the folds, as bits, in which a position stands in training.
	known  *hashed.Table[uint8]
	shared bool // some position stands in more than one fold
	none   bool // there are no rows
	// both are the held-out positions that stand in training, too.
	both *hashed.Table[bool]
}

// ahead is how many positions are looked up together, lest each wait for memory by itself.
const ahead = 16

// scan goes through the samples once. records is about how many there are.
func (s *sides) scan(samples datasets.Samples, records int64) error {
	s.known = hashed.New[uint8](records)
	var held []uint64
	places, folds := make([]uint64, 0, ahead), make([]uint8, 0, ahead)
	enter := func() {
		for i, place := range places {
			at, _ := s.known.At(place)
			*at |= 1 << folds[i]
			s.shared = s.shared || bits.OnesCount8(*at) > 1
		}
		places, folds = places[:0], folds[:0]
	}
	s.none = true
	for row, err := range datasets.Outlines(samples) {
		if err != nil {
			return err
		}
		s.none = false
		switch {
		case row.Position == 0:
			continue
		case s.held(row.Episode):
			held = append(held, row.Position)
			continue
		}
		id, _ := s.group(row.Episode)
		s.known.Prefetch(row.Position)
		places, folds = append(places, row.Position), append(folds, uint8(s.folds.Fold(id)))
		if len(places) == ahead {
			enter()
		}
	}
	enter()
	s.both = hashed.New[bool](0)
	for some := range slices.Chunk(held, ahead) {
		for _, place := range some {
			s.known.Prefetch(place)
		}
		for _, place := range some {
			if s.known.Find(place) != 0 {
				at, _ := s.both.At(place)
				*at = true
			}
		}
	}
	return nil
}

func (s *sides) seen(position uint64) bool { return position != 0 && s.both.Find(position) }

// inFolds are the folds with what they share. Equal rows of a table may be different positions and
// stay.
func (s *sides) inFolds() validate.Folds {
	f := s.folds
	if s.shared && !s.rows {
		f.Shared = func(position uint64) bool { return bits.OnesCount8(s.known.Find(position)) > 1 }
	}
	return f
}

// counts reports whether the held-out figures of r include a row.
func (s *sides) counts(row *datasets.Sample, r *learn.Report) bool {
	return s.held(row.Episode) && !(r.Overlap.Apart && s.seen(row.Position))
}
