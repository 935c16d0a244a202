package arena

import (
	"errors"
	"io"

	"plyfit/game"
	"plyfit/search"
	"plyfit/work"
)

// ReadResult reads a match's record file, which may still be written, hands its pairs to each, in
// order, and returns the result so far; any is false before the first pair. A torn last line is
// left out. name is for errors; find finds the game of a spec; each may be nil. Its error ends the
// reading.
func ReadResult(name string, file io.Reader, find func(spec string) (*game.Game, error),
	each func(*PairRecord) error) (h Header, r Result, any bool, err error) {
	var t *tally
	j := journal{Journal: work.Journal{Path: name}}
	err = j.Read(file, j.line(func(p *PairRecord) error {
		if t == nil {
			g, err := find(j.header.Game)
			if err == nil {
				t, err = tallyOf(g, j.header, p)
			}
			if err != nil {
				return err
			}
		}
		if what := t.layout.fits(p); what != "" {
			return errors.New(what)
		}
		t.add(p)
		if each != nil {
			return each(p)
		}
		return nil
	}))
	if err != nil || t == nil {
		return j.header, r, false, err
	}
	return j.header, t.result(), true, nil
}

// tallyOf counts the pairs of a match known by its header alone; first is its first pair.
func tallyOf(g *game.Game, h Header, first *PairRecord) (*tally, error) {
	cfg := h.config(g, search.Factory{Name: h.A}, search.Factory{Name: h.B})
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
