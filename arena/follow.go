package arena

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"plyfit/game"
	"plyfit/search"
	"plyfit/work"
)

// Follower reads the record file of a match that is perhaps still played, and says
// where the match stands. It belongs to one goroutine.
type Follower struct {
	file  journal
	find  func(spec string) (*game.Game, error)
	game  *game.Game
	tally *tally
	at    []int64 // where the line of each pair begins
}

// NewFollower has read nothing yet. name is the file's, for errors; find finds the game
// of a spec.
func NewFollower(name string, find func(spec string) (*game.Game, error)) *Follower {
	return &Follower{file: journal{Journal: work.Journal{Path: name}}, find: find}
}

// Read reads on from where it stopped before, in a file of size bytes; a last line
// that is half written is left for the next time. An error says what is wrong with
// the file. After one, and where the file has become shorter, a new Follower is needed.
func (f *Follower) Read(file io.ReaderAt, size int64) error {
	if size < f.file.Size {
		return fmt.Errorf("%s: %d bytes, there were %d: another match has taken its place", f.file.Path, size, f.file.Size)
	}
	if f.file.Lines == 0 {
		if err := f.begin(file, size); err != nil || f.file.Lines == 0 {
			return err
		}
	}
	return f.file.Read(io.NewSectionReader(file, f.file.Size, size-f.file.Size), f.file.line(f.add))
}

// longestHeader is how long the first line may be, in bytes.
const longestHeader = 1 << 16

// begin reads the header, if the whole of it is there.
func (f *Follower) begin(file io.ReaderAt, size int64) error {
	text := make([]byte, min(size, longestHeader))
	if _, err := file.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	end := bytes.IndexByte(text, '\n')
	start := []byte(`{"format":"` + journalFormat)
	if n := min(len(text), len(start)); end < 0 && len(text) < longestHeader && bytes.Equal(text[:n], start[:n]) {
		return nil // it is being written
	}
	if end < 0 || json.Unmarshal(text[:end], &f.file.want) != nil {
		return f.file.Fail("want the header of a match (%s)", journalFormat)
	}
	if err := f.file.header(text[:end], false); err != nil {
		return err
	}
	f.file.Lines, f.file.Size = 1, int64(end)+1
	var err error
	f.game, err = f.find(f.file.want.Game)
	return err
}

// add counts a pair.
func (f *Follower) add(r *PairRecord) (err error) {
	if f.tally == nil {
		if f.tally, err = tallyOf(f.game, f.file.want, r); err != nil {
			return err
		}
	}
	if what := f.tally.layout.fits(r); what != "" {
		return errors.New(what)
	}
	f.at = append(f.at, f.file.Size)
	f.tally.add(r)
	return nil
}

// Header is what the match is; zero before it was read.
func (f *Follower) Header() Header { return f.file.want }

// Game is the world of the match; nil before the header was read.
func (f *Follower) Game() *game.Game { return f.game }

// Result is where the match stands. How many pairs are planned is not in the file. Of
// no pairs there is none.
func (f *Follower) Result() (r Result, any bool) {
	if f.tally == nil {
		return r, false
	}
	return f.tally.result(), true
}

// Pair reads again the pair with that number, counted from 0 in this file.
func (f *Follower) Pair(file io.ReaderAt, n int) (*PairRecord, error) {
	if n < 0 || n >= len(f.at) {
		return nil, fmt.Errorf("%s: no pair %d: want one of the first %d", f.file.Path, n, len(f.at))
	}
	end := f.file.Size
	if n+1 < len(f.at) {
		end = f.at[n+1]
	}
	text := make([]byte, end-f.at[n])
	if _, err := file.ReadAt(text, f.at[n]); err != nil {
		return nil, err
	}
	r := &PairRecord{}
	j := journal{Journal: work.Journal{Path: f.file.Path, Lines: n + 1}, want: f.file.want, pairs: n}
	return r, j.Read(bytes.NewReader(text), j.line(func(read *PairRecord) error { *r = *read; return nil }))
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
