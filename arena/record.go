package arena

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/search"
	"plyfit/work"
)

// PairRecord is a finished pair, as stored in a line of the record file.
type PairRecord struct {
	Pair  int          `json:"pair"`            // numbered from 0
	Start string       `json:"start,omitempty"` // initial position; empty unless positions are listed
	Drawn int          `json:"drawn,omitempty"` // number of random moves at the start of each game
	From  Hash         `json:"from"`            // hash of the position after the opening
	Games []GameRecord `json:"games"`
}

// GameRecord is a game of a pair.
type GameRecord struct {
	Seats     []int     `json:"seats"`               // entrant in each seat: 0 for A, 1 for B, 2 for nature
	Utility   []float64 `json:"utility"`             // utility of each seat, in the game's units
	Plies     int       `json:"plies"`               // number of moves, including chance moves and the opening; 0 in games of a [Referee]
	Luck      int       `json:"luck,omitempty"`      // number of chance moves after the opening; 1 in games of a [Referee]
	Truncated bool      `json:"truncated,omitempty"` // whether the game reached the maximum number of plies
	// Adjudicated means that the game was ended early by [Config.Adjudicate].
	Adjudicated bool     `json:"adjudicated,omitempty"`
	Resigned    bool     `json:"resigned,omitempty"` // whether the loser resigned
	Fault       *Fault   `json:"fault,omitempty"`    // nil unless a fault decided the game
	Hash        Hash     `json:"hash"`               // hash of the position after the opening, combined with all later moves
	Moves       []string `json:"moves,omitempty"`    // in the notation of the game
}

// A Hash is a 64-bit hash. In JSON it is a string of 16 hexadecimal digits.
type Hash uint64

// MarshalText returns h as 16 hexadecimal digits.
func (h Hash) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(h)), nil }

// UnmarshalText parses 16 hexadecimal digits.
func (h *Hash) UnmarshalText(text []byte) error {
	x, err := strconv.ParseUint(string(text), 16, 64)
	if err != nil || len(text) != 16 {
		return fmt.Errorf("hash %q: want sixteen hexadecimal digits", text)
	}
	*h = Hash(x)
	return nil
}

// fits explains why r cannot be a pair of this layout, or returns an empty string if it can.
func (l layout) fits(r *PairRecord) string {
	if len(r.Games) != len(l.seats) {
		return fmt.Sprintf("%d games, want %d", len(r.Games), len(l.seats))
	}
	for i, g := range r.Games {
		if len(g.Utility) != len(l.seats[i]) || len(g.Seats) != len(l.seats[i]) {
			return fmt.Sprintf("game %d has %d seats and %d utilities; want %d of each", i, len(g.Seats), len(g.Utility), len(l.seats[i]))
		}
		for k, who := range g.Seats {
			if who != l.seats[i][k] {
				return fmt.Sprintf("game %d has entrant %d in seat %d; want entrant %d", i, who, k, l.seats[i][k])
			}
		}
		for _, u := range g.Utility {
			// Utilities computed here are within the bounds, but a file may contain anything.
			if lo, hi := l.least-1e-9, l.most+1e-9; !(u >= lo && u <= hi) {
				return fmt.Sprintf("game %d has utility %v; want a utility from %v to %v", i, u, l.least, l.most)
			}
		}
		if f := g.Fault; f != nil && f.By != sideA && f.By != sideB {
			return fmt.Sprintf("game %d has a fault by entrant %d; want entrant 0 or 1", i, f.By)
		}
	}
	return ""
}

// ReadResult reads the record file of a match, which may still be in progress, and returns the
// result so far. It ignores an incomplete last line, but the header must be complete. The boolean
// result reports whether the file contains any pairs.
//
// The callback find returns the game with a given spec. The other callback, if not nil, is called
// with every pair in order, and ReadResult stops if it returns an error. Errors refer to the file
// by name.
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

// tallyOf returns an empty tally for a match, using only its header and its first pair.
func tallyOf(g *game.Game, h Header, first *PairRecord) (*tally, error) {
	cfg := h.config(g, search.Factory{Name: h.A}, search.Factory{Name: h.B})
	if h.Positions != "" {
		cfg.Openings.Positions = make([]string, 1) // the number of positions does not matter
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

// Transcripts reconstructs the games of a pair from the moves in the record. The match was played
// between a and b in the world g. Transcripts returns an error if the record lacks moves or
// contains an illegal one.
func (r *PairRecord) Transcripts(g *game.Game, a, b string) ([]*game.Transcript, error) {
	names := [3]string{a, b, "nature"}
	var out []*game.Transcript
	for i := range r.Games {
		rec := &r.Games[i]
		round := fmt.Sprintf("%d.%d", r.Pair+1, i+1)
		if len(rec.Moves) != rec.Plies {
			return nil, fmt.Errorf("game %s: only %d of %d moves are recorded", round, len(rec.Moves), rec.Plies)
		}
		t := &game.Transcript{Event: a + " against " + b, Round: round, Start: r.Start, Sides: rec.Seats, Utility: rec.Utility, End: rec.end()}
		t.Names = list.Map(rec.Seats, func(side int) string { return names[side] })
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
