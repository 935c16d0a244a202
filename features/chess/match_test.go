package chess

import (
	"context"
	"testing"

	"plyfit/arena"
	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// TestHandwrittenBeatsMaterial plays paired games at equal depth: 400 with
// PLYFIT_LONG, 40 else.
func TestHandwrittenBeatsMaterial(t *testing.T) {
	g := chessGame(t)
	entrant := func(name string, set features.Set) search.Factory {
		m := featuretest.Shipped(t, g, set, "handwritten/"+name+".json")
		return search.Factory{Name: name, New: func() (search.Agent, error) {
			return search.NewAlphaBeta(search.Options{Game: g, Eval: features.NewEvaluator(g, set, m), Depth: 2, Quiescence: true, Table: 1})
		}}
	}
	pairs := 20
	if vectors.Long() {
		pairs = 200
	}
	r, err := arena.Run(context.Background(), arena.Config{
		Game: g, A: entrant("chess", Classic()), B: entrant("chess-material", Material()),
		Pairs: pairs, Seed: 1, Workers: 2, Openings: arena.Openings{Plies: 8},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.Sentence)
	if low := r.Score.Low; low <= 0.5 {
		t.Errorf("the lower bound of the score against material is %.3f, want above a half", low)
	}
}
