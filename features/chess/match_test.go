package chess

import (
	"context"
	"testing"

	"plyfit/arena"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/models"
	"plyfit/search"
)

// shipped is a hand-written model, bound to its set.
func shipped(t testing.TB, g *game.Game, name string) (*models.Linear, features.Set) {
	t.Helper()
	f, err := models.LoadFS(models.ShippedFiles(), "handwritten/"+name+".json")
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range Sets(g) {
		if set.Name() == f.Features {
			m, err := features.Bind(set, g, f)
			if err != nil {
				t.Fatal(err)
			}
			return m, set
		}
	}
	t.Fatalf("%s is a model of %s, which is no set of the game", name, f.Features)
	return nil, nil
}

// TestHandwrittenBeatsMaterial plays paired games at equal depth: 400 with
// PLYFIT_LONG, 40 else.
func TestHandwrittenBeatsMaterial(t *testing.T) {
	g := chessGame(t)
	entrant := func(name string) search.Factory {
		m, set := shipped(t, g, name)
		return search.Factory{Name: name, New: func() (search.Agent, error) {
			return search.NewAlphaBeta(search.AlphaBeta{Game: g, Eval: features.NewEvaluator(g, set, m), Depth: 2, Quiescence: true, Table: 1})
		}}
	}
	pairs := 20
	if vectors.Long() {
		pairs = 200
	}
	r, err := arena.Run(context.Background(), arena.Config{
		Game: g, A: entrant("chess"), B: entrant("chess-material"),
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
