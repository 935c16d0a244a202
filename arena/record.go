package arena

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"plyfit/game"
	"plyfit/search"
	"plyfit/work"
)

// PairRecord is one finished pair, as a line of the record file holds it.
type PairRecord struct {
	Pair  int          `json:"pair"`            // 0, 1, ...
	Start string       `json:"start,omitempty"` // the position it began at, where a list was given
	Drawn int          `json:"drawn,omitempty"` // the first so many moves are the opening drawn at random
	From  Hash         `json:"from"`            // of the position that the agents took over
	Games []GameRecord `json:"games"`
}

// GameRecord is one game.
type GameRecord struct {
	Seats     []int     `json:"seats"`               // who sat in each seat: 0 A, 1 B, 2 nature
	Utility   []float64 `json:"utility"`             // of each seat, in the game's units
	Plies     int       `json:"plies"`               // calls of Play, nature's and the opening included
	Luck      int       `json:"luck,omitempty"`      // nature's draws after the opening
	Truncated bool      `json:"truncated,omitempty"` // cut off at the game's limit of plies
	// Adjudicated tells that the game was ended by rule, before its end.
	Adjudicated bool     `json:"adjudicated,omitempty"`
	Resigned    bool     `json:"resigned,omitempty"` // the loser gave it up
	Fault       *Fault   `json:"fault,omitempty"`    // who lost it other than by playing
	Hash        Hash     `json:"hash"`               // of the position taken over and all moves from there
	Moves       []string `json:"moves,omitempty"`    // in the game's notation
}

// Hash is 64 bits, in JSON sixteen hexadecimal digits.
type Hash uint64

// MarshalText writes sixteen digits.
func (h Hash) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(h)), nil }

// UnmarshalText reads them.
func (h *Hash) UnmarshalText(text []byte) error {
	x, err := strconv.ParseUint(string(text), 16, 64)
	if err != nil || len(text) != 16 {
		return fmt.Errorf("hash %q: want sixteen hexadecimal digits", text)
	}
	*h = Hash(x)
	return nil
}

// fits says what makes the record no pair of this layout, "" where nothing does.
func (l layout) fits(r *PairRecord) string {
	if len(r.Games) != len(l.seats) {
		return fmt.Sprintf("%d games, want %d", len(r.Games), len(l.seats))
	}
	for i, g := range r.Games {
		if len(g.Utility) != len(l.seats[i]) || len(g.Seats) != len(l.seats[i]) {
			return fmt.Sprintf("game %d has %d seats and %d utilities, want %d", i, len(g.Seats), len(g.Utility), len(l.seats[i]))
		}
		for k, who := range g.Seats {
			if who != l.seats[i][k] {
				return fmt.Sprintf("game %d has entrant %d in seat %d, want %d", i, who, k, l.seats[i][k])
			}
		}
		for _, u := range g.Utility {
			// What was written is inside; a file may say anything.
			if lo, hi := l.least-1e-9, l.most+1e-9; !(u >= lo && u <= hi) {
				return fmt.Sprintf("game %d has utility %v, want one from %v to %v", i, u, l.least, l.most)
			}
		}
		if f := g.Fault; f != nil && f.By != sideA && f.By != sideB {
			return fmt.Sprintf("game %d has a fault by %d, want 0 or 1", i, f.By)
		}
	}
	return ""
}

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

// Transcripts are the games of a pair of a match between a and b in the world g, read from the
// record's moves; a record without them, or contradicting them, is an error.
func (r *PairRecord) Transcripts(g *game.Game, a, b string) ([]*game.Transcript, error) {
	names := [3]string{a, b, "nature"}
	var out []*game.Transcript
	for i := range r.Games {
		rec := &r.Games[i]
		round := fmt.Sprintf("%d.%d", r.Pair+1, i+1)
		if len(rec.Moves) != rec.Plies {
			return nil, fmt.Errorf("game %s: %d moves recorded of %d", round, len(rec.Moves), rec.Plies)
		}
		t := &game.Transcript{Event: a + " against " + b, Round: round, Start: r.Start, Sides: rec.Seats, Utility: rec.Utility, End: rec.end()}
		for _, side := range rec.Seats {
			t.Names = append(t.Names, names[side])
		}
		s := g.New()
		if r.Start != "" {
			var err error
			if s, err = g.Parse(r.Start); err != nil {
				return nil, fmt.Errorf("game %s: %w", round, err)
			}
		}
		for _, text := range rec.Moves {
			m, err := g.ParseMove(s, text)
			if err != nil {
				return nil, fmt.Errorf("game %s: %w", round, err)
			}
			t.Moves = append(t.Moves, m)
			s.Play(m)
		}
		out = append(out, t)
	}
	return out, nil
}

func (r *GameRecord) end() game.End {
	switch {
	case r.Fault != nil && r.Fault.Kind == timeLoss:
		return game.OutOfTime
	case r.Fault != nil && r.Fault.Kind == illegal:
		return game.IllegalMove
	case r.Fault != nil:
		return game.Crashed
	case r.Resigned:
		return game.Resigned
	case r.Adjudicated:
		return game.Adjudicated
	case r.Truncated:
		return game.Truncated
	}
	return game.Played
}
