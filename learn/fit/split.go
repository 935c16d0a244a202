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

// defaultHeldOut is one episode in this many, unless an option says otherwise.
const defaultHeldOut = 5

// HeldOut selects the held-out episodes. The zero value is one in [defaultHeldOut].
type HeldOut struct {
	OneIn  int  // one in so many, at least 2, chosen by the seed; 0: defaultHeldOut
	ByName bool // in place of that those whose name has a CRC-32 (IEEE) that OneIn divides
}

// String is the split as the command writes it.
func (h HeldOut) String() string {
	if h.ByName {
		return fmt.Sprintf("crc32:%d", h.OneIn)
	}
	return fmt.Sprint(cmp.Or(h.OneIn, defaultHeldOut))
}

// Set reads a split: N or crc32:N.
func (h *HeldOut) Set(text string) error {
	number, byName := strings.CutPrefix(text, "crc32:")
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil || n < 2 {
		return errors.New("want N, one episode in N, or crc32:N, those whose id has a CRC-32 divisible by N, N at least 2")
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

// held reports which episodes are held out: whole groups in a split by number, named episodes in
// one by name. An episode without a name (records may be nil if none has one) is named by its
// number in decimal digits.
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
