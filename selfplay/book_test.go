package selfplay

import (
	"context"
	"strings"
	"testing"

	"plyfit/search"
)

// TestBook: each episode begins at its own position of the book, a longer book of the
// same name goes on, and another one is refused.
func TestBook(t *testing.T) {
	positions := []string{"4", "44", "123", "7"}
	cfg := config(t, "connect4", 3)
	cfg.Agents, cfg.Explore, cfg.Openings = []search.Factory{plain(cfg.Game, 1)}, 0, 0
	cfg.Book = &Book{Name: "four", Positions: positions[:3]}
	run(t, cfg)
	cfg.Episodes, cfg.Book.Positions = 4, positions
	run(t, cfg)
	begun := map[uint64]string{}
	for _, r := range records(t, cfg.Dir) {
		if _, known := begun[r.Episode]; !known {
			begun[r.Episode] = r.Position
		}
	}
	for e, want := range positions {
		if got := begun[uint64(e)]; got != want {
			t.Errorf("episode %d begins at %q, want %q", e, got, want)
		}
	}
	for want, book := range map[string]*Book{
		`book is "four", not "another"`: {Name: "another", Positions: positions},
		"one for each of 4 games":       {Name: "four", Positions: positions[:3]},
		"without a name":                {Positions: positions},
		"position 2":                    {Name: "four", Positions: []string{"4", "x", "1", "2"}},
		"the game is over":              {Name: "four", Positions: []string{"1212121", "1", "2", "3"}},
	} {
		cfg.Book = book
		if _, err := Run(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
