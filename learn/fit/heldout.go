package fit

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"strconv"
	"strings"

	"plyfit/datasets"
	"plyfit/learn"
)

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
