package minesweeper

import (
	"context"
	"math"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	"plyfit/game/gametest"
	board "plyfit/game/minesweeper"
	"plyfit/internal/vectors"
	"plyfit/search"
)

func handwritten(t testing.TB, g *game.Game) *features.Evaluator {
	set := Profile.Sets(g)[0]
	return features.NewEvaluator(g, set, featuretest.Shipped(t, g, set, "handwritten/minesweeper.json"))
}

func TestLaw(t *testing.T) {
	featuretest.Laws(t, board.New, Profile.Sets, "minesweeper:rows=4,columns=5,mines=3", "minesweeper:rows=2,columns=3,mines=1,safefirst=on", "minesweeper")
}

func TestTerms(t *testing.T) {
	g := gametest.New(t, board.New, "minesweeper:rows=2,columns=4,mines=2")
	for _, text := range []string{"1.../2...", "20../...."} { // both positions are contradictory
		if s, err := g.Parse(text); err == nil {
			t.Fatalf("%s was accepted", s)
		}
	}
	// The 0 in the corner makes three cells safe. The other four hidden cells contain two mines.
	featuretest.ByHand(t, g, Profile.Sets(g)[0], "0.../....", map[string]float64{
		"left": 5. / 6, "safe": 1, "safe-cells": 3. / 5, "sure-mines": 0, "risk": 0, "density": 0.5, "frontier": 3. / 8,
		"outside": 0.5, "groups": 1, "guesses": 0, "layouts": math.Log2(6) / 10, "indecision": 0, "solved": 0,
	})
}

// TestHandWrittenIsNearTheTruth checks that the root mean square difference between the
// hand-written evaluation and the exact value is at most 0.2 on small boards.
func TestHandWrittenIsNearTheTruth(t *testing.T) {
	n, squares := 0, 0.0
	seed := uint64(5)
	for _, text := range []string{"minesweeper:rows=3,columns=3,mines=2", "minesweeper:rows=3,columns=3,mines=4", "minesweeper:rows=3,columns=4,mines=2", "minesweeper:rows=2,columns=4,mines=2"} {
		g := gametest.New(t, board.New, text)
		e := handwritten(t, g)
		exact := vectors.Must(search.NewExpectimax(search.Options{Game: g, Eval: search.Zero(g), Depth: 30}))
		for range 12 {
			s := g.New()
			for s.Turn() != game.Nobody {
				moves := s.Moves(nil)
				seed = game.Mix(seed)
				m := moves[seed%uint64(len(moves))]
				if s.Turn() == game.Chance {
					m = game.Drawn(s, moves, float64(seed>>11)/(1<<53))
				} else {
					r := vectors.Must(exact.Search(context.Background(), s))
					d := e.Evaluate(s, 0) - r.Value
					squares += d * d
					n++
					if seed>>40&1 == 0 {
						m = r.Move
					}
				}
				s.Play(m)
			}
		}
	}
	rms := math.Sqrt(squares / float64(n))
	t.Logf("root mean square error %.4f over %d positions", rms, n)
	if n < 100 || rms > 0.2 {
		t.Errorf("root mean square error %.4f over %d positions", rms, n)
	}
}

// TestBeginner checks that the hand-written evaluation wins at least 60 per cent of the games on a
// 9x9 board with 10 mines and a safe first cell, using a search of one ply. It plays 300 games with
// PLYFIT_LONG=1 and 12 games otherwise.
func TestBeginner(t *testing.T) {
	g := gametest.New(t, board.New, "minesweeper:safefirst=on")
	a := vectors.Must(search.NewExpectimax(search.Options{Game: g, Eval: handwritten(t, g), Depth: 1}))
	games, won := 12, 0.0
	if vectors.Long() {
		games = 300
	}
	for i := range games {
		s, seed := g.New(), uint64(i)
		for s.Turn() != game.Nobody {
			if s.Turn() == game.Chance {
				seed = game.Mix(seed)
				s.Play(game.Drawn(s, s.Moves(nil), float64(seed>>11)/(1<<53)))
				continue
			}
			r := vectors.Must(a.Search(context.Background(), s))
			s.Play(r.Move)
		}
		won += s.Utility(0)
	}
	t.Logf("%v of %d games won", won, games)
	if won < 0.6*float64(games) {
		t.Errorf("%v of %d games won, want at least 0.6", won, games)
	}
}
