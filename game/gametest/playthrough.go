package gametest

import (
	"strings"
	"testing"

	"plyfit/game"
)

// Playthrough is a whole game as another implementation of the rules tells it.
type Playthrough struct {
	Position string // where it begins; "": the start
	Moves    string // in the game's notation, to the end
	// Counts are the numbers of legal moves that are reported, by the number of moves made
	// before.
	Counts  map[int]int
	Returns []float64 // of each player
}

// Follow plays g as p tells it, and wants the same numbers of moves and the same end.
func (p *Playthrough) Follow(t *testing.T, g *game.Game) game.State {
	t.Helper()
	s := g.New()
	if p.Position != "" {
		var err error
		if s, err = g.Parse(p.Position); err != nil {
			t.Fatal(err)
		}
	}
	moves := strings.Fields(p.Moves)
	for i, name := range moves {
		if want, known := p.Counts[i]; known && len(s.Moves(nil)) != want {
			t.Errorf("%s, move %d at %s: %d legal moves, want %d", g.Spec, i, s, len(s.Moves(nil)), want)
		}
		m, err := g.ParseMove(s, name)
		if err != nil {
			t.Fatalf("%s, move %d at %s: %v", g.Spec, i, s, err)
		}
		s.Play(m)
	}
	if s.Turn() != game.Nobody {
		t.Fatalf("%s: after %d moves it is the turn of %d, want the end", s, len(moves), s.Turn())
	}
	for q, want := range p.Returns {
		if got := s.Utility(game.Player(q)); got != want {
			t.Errorf("%s: player %d gets %v, want %v", s, q, got, want)
		}
	}
	return s
}
