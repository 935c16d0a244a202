package gametest

import (
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
)

// A Playthrough is a complete game recorded with another implementation of the rules.
type Playthrough struct {
	Position string // first position, or "" for the initial position
	Moves    string // all moves of the game, in its notation
	// Counts contains known numbers of legal moves, indexed by the number of preceding moves.
	Counts  map[int]int
	Returns []float64 // utilities of the players
}

// Follow plays the game and checks the numbers of legal moves and the utilities. It returns the
// last position.
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
			t.Errorf("%s, move %d at %s: %d legal moves; want %d", g.Spec, i, s, len(s.Moves(nil)), want)
		}
		m, err := g.ParseMove(s, name)
		if err != nil {
			t.Fatalf("%s, move %d at %s: %v", g.Spec, i, s, err)
		}
		s.Play(m)
	}
	if s.Turn() != game.Nobody {
		t.Fatalf("%s: after %d moves the turn is %d; want the end of the game", s, len(moves), s.Turn())
	}
	for q, want := range p.Returns {
		if got := s.Utility(game.Player(q)); got != want {
			t.Errorf("%s: player %d gets %v, want %v", s, q, got, want)
		}
	}
	return s
}

// Games yields each unfinished position in n random games of g. seed determines the games. The body
// of the loop must undo any moves that it plays.
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

// Record plays random moves from start, or from the initial position if start is "". It returns the
// record and the last position. Nature moves with its probabilities. The record is unfinished if
// the game has not ended after the given number of plies.
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

// Play plays the moves in text, which are separated by spaces. Each is read by the function parse.
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
