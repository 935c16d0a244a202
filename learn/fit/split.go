package fit

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"plyfit/datasets"
	"plyfit/internal/hashed"
	"plyfit/learn"
	"plyfit/learn/validate"
)

// split describes the split of a fit's rows: which episodes are held out, which episodes form
// groups, and which positions occur on both sides or in several folds.
type split struct {
	held  func(episode uint64) bool
	group func(episode uint64) (id uint64, alone bool) // learn.Options.Group
	folds validate.Folds
	// keep is set if positions that also occur in training stay among the held-out rows.
	keep bool
	// rows is set if the positions are table rows. Equal table rows may be different positions.
	rows bool
	// foldsOf contains, for each training position, the folds in which it occurs, as bits.
	foldsOf *hashed.Table[uint8]
	shared  bool // whether any position occurs in more than one fold
	none    bool // whether there are no rows
	// sharedHeldOut contains the held-out positions that also occur in training.
	sharedHeldOut *hashed.Table[bool]
}

// ahead is the number of positions that are looked up together, so that their memory accesses
// overlap.
const ahead = 16

// scan reads the samples once. The parameter records is the approximate number of samples.
func (s *split) scan(samples datasets.Samples, records int64) error {
	s.foldsOf = hashed.New[uint8](records)
	var held []uint64
	places, folds := make([]uint64, 0, ahead), make([]uint8, 0, ahead)
	enter := func() {
		for i, place := range places {
			at, _ := s.foldsOf.At(place)
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
		s.foldsOf.Prefetch(row.Position)
		places, folds = append(places, row.Position), append(folds, uint8(s.folds.Fold(id)))
		if len(places) == ahead {
			enter()
		}
	}
	enter()
	s.sharedHeldOut = hashed.New[bool](0)
	for some := range slices.Chunk(held, ahead) {
		for _, place := range some {
			s.foldsOf.Prefetch(place)
		}
		for _, place := range some {
			if s.foldsOf.Find(place) != 0 {
				at, _ := s.sharedHeldOut.At(place)
				*at = true
			}
		}
	}
	return nil
}

func (s *split) seen(position uint64) bool { return position != 0 && s.sharedHeldOut.Find(position) }

// inFolds returns the folds and the positions that they share. In tables, equal rows are kept
// because they may be different positions.
func (s *split) inFolds() validate.Folds {
	f := s.folds
	if s.shared && !s.rows {
		f.Shared = func(position uint64) bool { return bits.OnesCount8(s.foldsOf.Find(position)) > 1 }
	}
	return f
}

// counts reports whether the held-out losses in r include the row.
func (s *split) counts(row *datasets.Sample, r *learn.Report) bool {
	return s.held(row.Episode) && !(r.Overlap.Apart && s.seen(row.Position))
}

// defaultHeldOut is the default of [HeldOut.OneIn].
const defaultHeldOut = 5

// HeldOut selects the held-out episodes. The zero value selects one group in [defaultHeldOut].
type HeldOut struct {
	OneIn  int  // holds out one group in OneIn, chosen by the seed; must be at least 2, or 0 for defaultHeldOut
	ByName bool // holds out instead the episodes whose name has a CRC-32 (IEEE) divisible by OneIn
}

// String returns the split in the syntax of the command.
func (h HeldOut) String() string {
	if h.ByName {
		return fmt.Sprintf("crc32:%d", h.OneIn)
	}
	return fmt.Sprint(cmp.Or(h.OneIn, defaultHeldOut))
}

// Set parses a split: N or crc32:N.
func (h *HeldOut) Set(text string) error {
	number, byName := strings.CutPrefix(text, "crc32:")
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil || n < 2 {
		return errors.New("want N (one episode in N) or crc32:N (ids with a CRC-32 divisible by N), where N is at least 2")
	}
	*h = HeldOut{OneIn: int(n), ByName: byName}
	return nil
}

func (h HeldOut) check() error {
	if err := new(HeldOut).Set(h.String()); err != nil {
		return fmt.Errorf("held-out %s: %w", h, err)
	}
	return nil
}

// held returns a function that reports whether an episode is held out. A split by number holds out
// whole groups, and a split by name holds out named episodes. If an episode has no name, its number
// in decimal digits is used. records may be nil if no episode has a name.
func (h HeldOut) held(seed uint64, group func(episode uint64) (id uint64, alone bool), records func() iter.Seq2[*datasets.Record, error]) (func(episode uint64) bool, error) {
	n := uint64(cmp.Or(h.OneIn, defaultHeldOut))
	if !h.ByName {
		every := learn.SplitEvery(n, seed)
		return func(episode uint64) bool {
			id, _ := group(episode)
			return every(id)
		}, nil
	}
	by := func(id string) bool { return uint64(crc32.ChecksumIEEE([]byte(id)))%n == 0 }
	named := map[uint64]bool{}
	if records != nil {
		last, any := uint64(0), false
		for r, err := range records() {
			if err != nil {
				return nil, err
			}
			if any && r.Episode == last {
				continue
			}
			last, any = r.Episode, true
			if r.ID != "" {
				named[r.Episode] = by(r.ID)
			}
		}
	}
	return func(episode uint64) bool {
		if held, ok := named[episode]; ok {
			return held
		}
		return by(strconv.FormatUint(episode, 10))
	}, nil
}
