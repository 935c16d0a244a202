package gametest

import (
	"iter"
	"math/rand/v2"

	"plyfit/game"
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
