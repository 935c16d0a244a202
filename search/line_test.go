package search_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/search/internal/searchtest"
)

// TestLineLeadsToValue: the end of the principal variation is worth what the
// search says the root is worth.
func TestLineLeadsToValue(t *testing.T) {
	for _, c := range []struct {
		spec          string
		depth, random int // plies
	}{{"connect4", 4, 20}, {"tictactoe", 5, 5}, {"othello", 3, 20}, {"checkers", 4, 20}, {"chess", 2, 20}, {"chess", 3, 20}} {
		g := world(t, c.spec)
		eval := noise{g}
		a, err := searchtest.AlphaBetaOf(searchtest.Settings{Game: g, Eval: eval, Depth: c.depth, Table: 1})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(5, 5))
		whole := 0
		const positions = 60
		for n := range positions {
			s := g.New()
			for range r.IntN(c.random) {
				moves := s.Moves(nil)
				if len(moves) == 0 {
					break
				}
				s.Play(moves[r.IntN(len(moves))])
			}
			if s.Turn() == game.Nobody {
				continue
			}
			a.Begin(uint64(n))
			res, err := a.Search(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			from := s.String()
			for _, m := range res.PV {
				s.Play(m)
			}
			over := s.Turn() == game.Nobody
			if len(res.PV) < c.depth && !over {
				continue // the table forgot how it goes on
			}
			whole++
			v := 0.0
			if over {
				v = s.Utility(0)
			} else {
				v = eval.Evaluate(s, 0)
			}
			if math.Abs(v-res.Values[0]) > 1e-9 {
				t.Errorf("%s, depth %d: the root is worth %v, the end of its line %v", from, c.depth, res.Values[0], v)
			}
		}
		if whole < positions/2 {
			t.Errorf("%s, depth %d: %d whole lines", c.spec, c.depth, whole)
		}
	}
}
