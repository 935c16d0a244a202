package selfplay

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// plain returns an agent without random choices, so that the opening determines the game.
func plain(g *game.Game, depth int) search.Factory {
	return search.Factory{Identity: fmt.Sprintf("alphabeta:depth=%d", depth), New: func() (search.Agent, error) {
		return search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: depth})
	}}
}

// firsts returns the first record of each episode.
func firsts(rs []datasets.Record) (out []datasets.Record) {
	for i, r := range rs {
		if i == 0 || rs[i-1].Episode != r.Episode {
			out = append(out, r)
		}
	}
	return out
}

// TestNewOpenings checks that no two episodes start from the same position, and that every opening
// length from zero to the maximum occurs.
func TestNewOpenings(t *testing.T) {
	cfg := config(t, "connect4", 120)
	cfg.Agents, cfg.Explore = []search.Factory{plain(cfg.Game, 2)}, 0
	m := run(t, cfg)
	places, plies := map[uint64]uint64{}, [5]int{}
	begun := firsts(records(t, cfg.Dir))
	for _, r := range begun {
		s := vectors.Must(cfg.Game.Parse(r.Position))
		if e, had := places[game.BoardHash(s)]; had {
			t.Errorf("episodes %d and %d begin at %s", e, r.Episode, r.Position)
		}
		places[game.BoardHash(s)] = r.Episode
		plies[r.Ply]++
	}
	// There is only one position at ply 0, and there are only seven at ply 1.
	for ply, least := range []int{1, 7, 12, 12, 12} {
		if plies[ply] < least {
			t.Errorf("%d of 120 episodes begin at ply %d, want at least %d: %v", plies[ply], ply, least, plies)
		}
	}
	if m.Distinct != 120 || m.Repeated != 0 || !m.NewOpenings {
		t.Errorf("manifest %+v, want 120 distinct games", m)
	}
}

// TestChanceKeepsOpenings checks that openings are not redrawn if chance moves vary the games.
func TestChanceKeepsOpenings(t *testing.T) {
	for _, world := range []string{"pig:target=20", "connect4+slip=0.25"} {
		if m := run(t, config(t, world, 12)); m.NewOpenings || m.Adjudicate != "" || m.Repeated != 0 {
			t.Errorf("%s: %+v", world, m.Plan)
		}
	}
}

// TestMade checks that the recorded move in Made leads from each position to the next, and from the
// last position to the outcome. In worlds with slips, it may differ from the chosen move.
func TestMade(t *testing.T) {
	// A slip draws one of seven moves. With probability 6/7, it differs from the chosen one, so
	// about 0.21 of the moves change.
	for world, share := range map[string][2]float64{"connect4": {0, 0}, "connect4+slip=0.25": {0.15, 0.28}} {
		cfg := config(t, world, 60)
		run(t, cfg)
		rs := records(t, cfg.Dir)
		slipped := 0.0
		for i, r := range rs {
			s := vectors.Must(cfg.Game.Parse(r.Position))
			base := game.Base(s)
			m, err := cfg.Game.ParseMove(s, r.Made)
			if err != nil {
				t.Fatalf("%+v: %v", r, err)
			}
			if base.Play(m); r.Made != r.Move {
				slipped++
			}
			last := i+1 == len(rs) || rs[i+1].Episode != r.Episode
			switch {
			case last != (base.Turn() == game.Nobody):
				t.Fatalf("%+v: over %v", r, !last)
			case last && (base.Utility(0) != r.Outcome[0] || base.Utility(1) != r.Outcome[1]):
				t.Fatalf("%+v is the last, and does not end it so", r)
			case !last && base.String() != rs[i+1].Position:
				t.Fatalf("%+v leads to %s, not to %+v", r, base, rs[i+1])
			}
		}
		if slipped /= float64(len(rs)); slipped < share[0] || slipped > share[1] {
			t.Errorf("%s: %v of the moves slipped, want %v", world, slipped, share)
		}
	}
}

// TestAdjudicate checks that an episode ends when a search has proven its outcome, and that
// continuing the game with the same agents leads to that outcome. If games are played to the end,
// the records are marked as proven.
func TestAdjudicate(t *testing.T) {
	cfg := config(t, "connect4", 80)
	cfg.Agents, cfg.Explore = []search.Factory{plain(cfg.Game, 4)}, 0
	run(t, cfg)
	whole := records(t, cfg.Dir)
	proven := 0
	for _, r := range whole {
		if r.Proven {
			proven++
			if !slices.Contains([]float64{-1, 0, 1}, r.Value) || r.Value != r.Outcome[r.Mover] {
				t.Errorf("%+v: proven, but another outcome", r)
			}
		}
	}
	if share := float64(proven) / float64(len(whole)); share < 0.02 {
		t.Fatalf("%v of the records are proven, want some", share)
	}
	short := cfg
	short.Adjudicate, short.Dir = datasets.AdjudicateProven, filepath.Join(t.TempDir(), "short")
	m := run(t, short)
	if m.Adjudicate != datasets.AdjudicateProven || m.Records >= int64(len(whole)) {
		t.Errorf("%d records of %d: %+v", m.Records, len(whole), m.Plan)
	}
	outcomes := map[string][]float64{}
	for _, r := range whole {
		outcomes[r.Position] = r.Outcome
	}
	for _, r := range records(t, short.Dir) {
		if r.Proven {
			t.Errorf("%+v: proven", r)
		}
		if want, ok := outcomes[r.Position]; ok && !slices.Equal(want, r.Outcome) {
			t.Errorf("%+v: outcome, played on, %v", r, want)
		}
	}
	// An episode whose first position is proven still has one record.
	deep := config(t, "connect4:rows=4,columns=4", 4)
	deep.Agents, deep.Explore, deep.Openings, deep.Adjudicate = []search.Factory{plain(deep.Game, 16)}, 0, 0, datasets.AdjudicateProven
	run(t, deep)
	for _, r := range records(t, deep.Dir) {
		if !r.Proven || r.Ply != 0 {
			t.Errorf("%+v: want the one proven record of a solved game", r)
		}
	}
}

// TestBook checks that each episode starts from its own position in the book. A longer book with
// the same name extends the data set. Five other books are errors.
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
		"book is four, not another": {Name: "another", Positions: positions},
		"one for each of 4 games":   {Name: "four", Positions: positions[:3]},
		"the book has no name":      {Positions: positions},
		"position 2":                {Name: "four", Positions: []string{"4", "x", "1", "2"}},
		"the game is over":          {Name: "four", Positions: []string{"1212121", "1", "2", "3"}},
	} {
		cfg.Book = book
		if _, err := Run(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
