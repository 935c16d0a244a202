package search_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/search"
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
		a, err := searchtest.AlphaBetaOf(search.Options{Game: g, Eval: eval, Depth: c.depth, Table: 1})
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

// TestNoNegativeZero: what is worth nothing is 0 in every result, never -0, though
// numbers are negated on the way up: a data set would hold it.
func TestNoNegativeZero(t *testing.T) {
	for _, c := range []struct{ spec, position string }{
		{"tree", "(max (min 0 1) (min 0 2))"}, {"tree", "(min (max 0 -1) (max 0 -2))"},
		{"tree", "(max (min (chance 1/2 0 1/2 0) 1) (min 0 2))"}, {"tree", "(min (chance 1/2 (max 0 -1) 1/2 0) 3)"},
		{"connect4:dice=on", "21111112222233334533444445655556666677 die 3"},
	} {
		g := world(t, c.spec)
		s := parse(t, g, c.position)
		for name, a := range everySearch(t, search.Options{Game: g, Eval: search.Zero(g), Depth: 2, Complete: true}) {
			r := searchtest.Search(t, a, s)
			all := append([]float64{r.Value}, r.Values...)
			for _, m := range r.Root {
				all = append(all, m.Value)
			}
			for _, v := range all {
				if v == 0 && math.Signbit(v) {
					t.Errorf("%s at %s: -0 in %v %v %v", name, c.position, r.Value, r.Values, r.Root)
					break
				}
			}
		}
	}
}
