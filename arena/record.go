package arena

import (
	"fmt"
	"strconv"
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
