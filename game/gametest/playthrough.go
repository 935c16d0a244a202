package gametest

import (
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
)

// Playthrough is a whole game as another implementation of the rules tells it.
type Playthrough struct {
	Position string // where it begins; "": the start
	Moves    string // in the game's notation, to the end
	// Counts are the numbers of legal moves that are reported, by the number of moves made before.
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

// Games yields each unfinished position of n random games of g, which seed determines.
// The body of the loop must undo the moves that it plays.
func Games(g *game.Game, n int, seed uint64) iter.Seq[game.State] {
	return func(yield func(game.State) bool) {
		rng := rand.New(rand.NewPCG(seed, 1))
		for range n {
			for s := g.New(); s.Turn() != game.Nobody; {
				if !yield(s) {
					return
				}
				moves := s.Moves(nil)
				s.Play(moves[rng.IntN(len(moves))])
			}
		}
	}
}

// Record is a game from start, "" for that of g, by random moves and nature's draws, and its last
// position: it stays unfinished where it has not ended after so many plies.
func Record(g *game.Game, rng *rand.Rand, start string, plies int) (*game.Transcript, game.State) {
	r := &game.Transcript{Names: []string{"first", "second"}, Sides: []int{0, 1}, Start: start, End: game.Unfinished}
	s := vectors.Must(r.First(g))
	for s.Turn() != game.Nobody && len(r.Moves) < plies {
		moves := s.Moves(nil)
		m := moves[rng.IntN(len(moves))]
		if s.Turn() == game.Chance {
			m = game.Drawn(s, moves, rng.Float64())
		}
		r.Moves = append(r.Moves, m)
		s.Play(m)
	}
	if s.Turn() == game.Nobody {
		r.End, r.Utility = game.Played, []float64{s.Utility(0), s.Utility(1)}
	}
	return r, s
}

// Play makes the moves that parse reads in text, with blanks between them.
func Play(t testing.TB, parse func(game.State, string) (game.Move, error), s game.State, text string) {
	t.Helper()
	for _, name := range strings.Fields(text) {
		m, err := parse(s, name)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		s.Play(m)
	}
}
