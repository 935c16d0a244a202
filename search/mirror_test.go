package search_test

import (
	"context"
	"testing"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// Where images share their place in the table, values are those of minimax without
// one, at every depth and along an episode, and the line that the table tells, too,
// ends in what it promises.
func TestMirroredTable(t *testing.T) {
	g := world(t, "connect4:columns=5,rows=4,score=distance")
	fast, err := searchtest.AlphaBetaOf(search.Options{Game: g, Eval: search.Zero(g), Depth: 20})
	if err != nil {
		t.Fatal(err)
	}
	blind, err := searchtest.AlphaBetaOf(search.Options{Game: g, Eval: sided{}, Depth: 20})
	if err != nil {
		t.Fatal(err)
	}
	fast.Begin(1)
	for _, at := range []string{"start", "3", "33", "333", "3333", "15", "24", "1", "12", "1524", "15243", "333324"} {
		s := parse(t, g, at)
		r, err := fast.Search(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		blind.Begin(1)
		want, err := blind.Search(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Exact || r.Value != want.Value || r.Move != want.Move {
			t.Errorf("%s: %v by %s (exact: %v), want %v by %s", at, r.Value, s.MoveString(r.Move), r.Exact, want.Value, s.MoveString(want.Move))
		}
		me := s.Turn()
		for i, m := range r.PV {
			if s.Turn() == game.Nobody {
				t.Fatalf("%s: the line goes on after its end, at %d", at, i)
			}
			s.Play(m)
		}
		if s.Turn() == game.Nobody {
			if u := s.Utility(me); u != r.Value {
				t.Errorf("%s: the line ends in %v, its value is %v", at, u, r.Value)
			}
			continue
		}
		blind.Begin(1)
		rest, err := blind.Search(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if v := rest.Values[me]; v != r.Value {
			t.Errorf("%s: the line leads to %v, which is worth %v, not %v", at, s, v, r.Value)
		}
	}
}

// sided is an evaluation that knows nothing, and does not say so: no mirror is asked for.
type sided struct{}

func (sided) Evaluate(game.State, game.Player) float64 { return 0 }

// From the empty board images save nodes: those of the same search that asks for none.
func TestMirrorSavesNodes(t *testing.T) {
	g := world(t, "connect4:columns=5,rows=4")
	nodes := func(e search.Evaluator) int64 {
		a, err := searchtest.AlphaBetaOf(search.Options{Game: g, Eval: e, Depth: 20})
		if err != nil {
			t.Fatal(err)
		}
		r, err := a.Search(context.Background(), g.New())
		if err != nil || !r.Exact {
			t.Fatal(r.Exact, err)
		}
		return r.Nodes
	}
	if with, without := nodes(search.Zero(g)), nodes(sided{}); with*10 > without*9 {
		t.Errorf("%d nodes, %d without images: want a tenth less at least", with, without)
	}
}
