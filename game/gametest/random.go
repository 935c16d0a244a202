package gametest

import (
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
)

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
