package othello

import (
	"math/rand/v2"
	"testing"

	"plyfit/game"
)

// TestSweeps: there is such a move where one of all moves leaves the other without a
// disc. Games between one who goes for few discs and one at random come to it.
func TestSweeps(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	seen := [2]int{}
	for n := range 4000 {
		s := start()
		for s.Turn() != game.Nobody && s.Empties() > 30 {
			moves := s.Moves(nil)
			want := false
			for _, m := range moves {
				s.Play(m)
				own, opp := s.Discs()
				s.Undo()
				want = want || own == 0 || opp == 0
			}
			if s.Sweeps() != want {
				t.Fatalf("%s: %v, want %v", s, s.Sweeps(), want)
			}
			if want {
				seen[1]++
				break
			}
			seen[0]++
			best, least := moves[0], 65
			for _, m := range moves {
				s.Play(m)
				own, opp := s.Discs()
				s.Undo()
				if n&1 == int(s.Turn()) {
					own = opp
				}
				if k := popcount(own); k < least {
					best, least = m, k
				}
			}
			if int(s.Turn()) == n&1 {
				best = moves[rng.IntN(len(moves))]
			}
			s.Play(best)
		}
	}
	if seen[0] < 10000 || seen[1] < 50 {
		t.Errorf("%d positions without such a move and %d with one: want more", seen[0], seen[1])
	}
}
