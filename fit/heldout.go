package fit

import (
	"fmt"
	"hash/crc32"
	"iter"
	"strconv"
	"strings"

	"plyfit/datasets"
	"plyfit/learn"
)

// DefaultHeldOut is one episode in this many, unless a fit is told otherwise.
const DefaultHeldOut = 5

// split says which episodes are held out: one in n, chosen by the seed, or, by
// crc, those whose name has a CRC-32 (IEEE) that n divides.
type split struct {
	n   uint64
	crc bool
}

// readHeldOut reads "N" or "crc32:N".
func readHeldOut(text string) (s split, err error) {
	if text == "" {
		return split{n: DefaultHeldOut}, nil
	}
	number, crc := strings.CutPrefix(text, "crc32:")
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil || n < 2 {
		return s, fmt.Errorf("held-out %s: want N, one episode in N, or crc32:N, those whose id has a CRC-32 divisible by N, N at least 2", text)
	}
	return split{n, crc}, nil
}

// heldOut tells the held-out episodes: of a split by number, whole groups (nil:
// each episode by itself), of one by name, episodes as they are named. An episode without a name (records may be
// nil where none has one) goes by its number in decimal digits.
func heldOut(text string, seed uint64, groups *groups, records func() iter.Seq2[*datasets.Record, error]) (func(episode uint64) bool, error) {
	s, err := readHeldOut(text)
	if err != nil {
		return nil, err
	}
	if !s.crc {
		every := learn.SplitEvery(s.n, seed)
		if groups == nil {
			return every, nil
		}
		return func(episode uint64) bool {
			id, _ := groups.group(episode)
			return every(id)
		}, nil
	}
	by := func(id string) bool { return uint64(crc32.ChecksumIEEE([]byte(id)))%s.n == 0 }
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
