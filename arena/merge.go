package arena

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"plyfit/game"
	"plyfit/internal/atomicfile"
	"plyfit/search"
	"plyfit/work"
)

// Merge writes the record file out of a match whose slices are in the files from,
// and returns how many pairs it holds: the bytes are those of a match played in
// one piece. Where a sequential test had ended that, the pairs after its decision
// are left out. find finds the game of a spec. A file that is there is not touched.
func Merge(out string, from []string, find func(spec string) (*game.Game, error)) (pairs int, err error) {
	if _, err := os.Stat(out); err == nil {
		return 0, fmt.Errorf("%s: is there already: want the name of a new file", out)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	parts, whole, err := readSlices(from)
	if err != nil {
		return 0, err
	}
	g, err := find(whole.Game)
	if err != nil {
		return 0, err
	}
	header, err := lineOf(whole)
	if err != nil {
		return 0, err
	}
	var t *tally
	err = atomicfile.Write(out, func(w io.Writer) error {
		if _, err := w.Write(header); err != nil {
			return err
		}
		for _, p := range parts {
			here := 0
			_, err := EachRecord(p.path, func(r *PairRecord) (err error) {
				if here++; t == nil {
					if t, err = tallyOf(g, whole, r); err != nil {
						return err
					}
				}
				if what := t.layout.fits(r); what != "" {
					return errors.New(what)
				}
				if t.over() {
					return nil
				}
				t.add(r)
				line, err := sealedLine(r)
				if err != nil {
					return err
				}
				_, err = w.Write(line)
				return err
			})
			if want := p.Slice.To - p.Slice.From; err == nil && here != want {
				err = fmt.Errorf("%s: holds %d of the %d pairs of its slice: the command that began it goes on with it", p.path, here, want)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if t != nil {
		pairs = t.pairs
	}
	return pairs, err
}

// sliceFile is the file of a slice with its header.
type sliceFile struct {
	path string
	Header
}

// readSlices reads the headers of slices, in their order, and makes that of the
// whole match.
func readSlices(from []string) (parts []sliceFile, whole Header, err error) {
	for i, path := range from {
		h, err := readHeader(path)
		if err != nil {
			return nil, whole, err
		}
		if h.Slice.Slice.Whole() {
			return nil, whole, fmt.Errorf("%s: no slice of a match: want files made with --slice", path)
		}
		parts = append(parts, sliceFile{path, h})
		match := h
		match.Slice = Share{}
		match.Digest = match.digest()
		if i == 0 {
			whole = match
		}
		if what := match.differs(whole); what != "" {
			return nil, whole, fmt.Errorf("%s and %s are of two matches: the second's %s", from[0], path, what)
		}
		if n := parts[0].Slice.Pairs; h.Slice.Pairs != n {
			return nil, whole, fmt.Errorf("%s and %s are of two matches: one of %d pairs, the other of %d", from[0], path, n, h.Slice.Pairs)
		}
	}
	slices.SortFunc(parts, func(a, b sliceFile) int { return cmp.Compare(a.Slice.From, b.Slice.From) })
	next := 0
	for _, p := range parts {
		if p.Slice.From != next {
			return nil, whole, fmt.Errorf("%s begins with pair %d: want each slice once, and one that begins with pair %d", p.path, p.Slice.From, next)
		}
		next = p.Slice.To
	}
	if n := parts[0].Slice.Pairs; next != n {
		return nil, whole, fmt.Errorf("%d slices end with pair %d: want all slices of the %d pairs", len(parts), next-1, n)
	}
	return parts, whole, nil
}

// readHeader reads the first line of a record file.
func readHeader(path string) (h Header, err error) {
	f, err := os.Open(path)
	if err != nil {
		return h, err
	}
	defer f.Close()
	return ReadHeader(path, f)
}

// ReadHeader reads the header of a record file from its beginning; name is the file's,
// for the error.
func ReadHeader(name string, r io.Reader) (h Header, err error) {
	if err := json.NewDecoder(io.LimitReader(r, longestHeader)).Decode(&h); err != nil || h.Format != journalFormat {
		return h, fmt.Errorf("%s, line 1: want the header of a match (%s)", name, journalFormat)
	}
	return h, nil
}

// tallyOf counts the pairs of a match that is known by its header alone; first is
// its first pair.
func tallyOf(g *game.Game, h Header, first *PairRecord) (*tally, error) {
	cfg := Config{Game: g, A: search.Factory{Name: h.A}, B: search.Factory{Name: h.B}, Seed: h.Seed, Measure: h.Measure, SPRT: h.SPRT, Openings: Openings{Plies: h.Plies, Fixed: h.Fixed}}
	if h.Positions != "" {
		cfg.Openings.Positions = make([]string, 1) // how many does not matter
	}
	if h.Nature != "" {
		cfg.Nature = &search.Factory{Name: h.Nature}
	}
	s := g.New()
	if first.Start != "" {
		var err error
		if s, err = g.Parse(first.Start); err != nil {
			return nil, err
		}
	}
	l, err := layoutOf(&cfg, s)
	return newTally(cfg, l), err
}

// sliceNote says what the result of a slice is of.
func sliceNote(s work.Slice, first, end, pairs int) string {
	return fmt.Sprintf("These are pairs %d to %d of %d, slice %v: plyfit match merge puts all slices together.", first+1, end, pairs, s)
}
