package connect4

import (
	"context"
	"testing"

	"plyfit/arena"
	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/search"
)

// TestHandwrittenBeatsLines plays 400 paired games at equal depth against an
// evaluation that knows open lines and no more: connect four's material.
func TestHandwrittenBeatsLines(t *testing.T) {
	g := newGame(t, "connect4")
	sets := Sets(g)
	entrant := func(name string, set features.Set) search.Factory {
		m := featuretest.Shipped(t, g, set, "handwritten/"+name+".json")
		return search.Factory{Name: name, New: func() (search.Agent, error) {
			return search.NewAlphaBeta(search.Options{Game: g, Eval: features.NewEvaluator(g, set, m), Depth: 4, Table: 1})
		}}
	}
	pairs := 200
	if testing.Short() {
		pairs = 60
	}
	r, err := arena.Run(context.Background(), arena.Config{
		Game: g, A: entrant("connect4", sets[0]), B: entrant("connect4-lines", sets[1]),
		Pairs: pairs, Seed: 1, Workers: 2, Openings: arena.Openings{Plies: 6},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.Sentence)
	if low := r.Score.Low; low <= 0.5 {
		t.Errorf("the lower bound of the score against open lines is %.3f, want above a half", low)
	}
}
