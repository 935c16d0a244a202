package checkers

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	rules "plyfit/game/checkers"
	"plyfit/game/gametest"
	"plyfit/models"
	"plyfit/search"
)

func checkersGame(t testing.TB) *game.Game {
	t.Helper()
	return gametest.New(t, rules.New, "checkers")
}

func TestLaw(t *testing.T) {
	g := checkersGame(t)
	for _, set := range Sets(g) {
		t.Run(set.Name(), func(t *testing.T) { featuretest.Law(t, g, set) })
	}
}

// totals are the terms of a position as p sees it, phases added up.
func totals(t *testing.T, text string, p game.Player) map[string]float64 {
	t.Helper()
	g := checkersGame(t)
	s, err := g.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	m := models.New("checkers", "checkers/terms", Terms().Blocks())
	got := map[string]float64{}
	for _, term := range Terms().Extract(s, p, nil) {
		name, _, _ := strings.Cut(m.Name(term.Index), "@")
		got[name] += float64(term.Value)
	}
	return got
}

// TestTerms counts positions by hand, black first.
func TestTerms(t *testing.T) {
	for _, c := range []struct {
		text string
		want map[string]float64
	}{
		{"B:W21-32:B1-12", map[string]float64{"tempo": 1, "opposition": -1}},
		// Black: bridge and triangle on 1, 2, 3, 7, a man on 28 in the hole.
		// White: a king in the middle, men on 32 and 31.
		{"W:W32,31,K18:B1,2,3,7,28", map[string]float64{
			"men": 3, "kings": -1, "back-row": 3 - 2, "bridge": 1, "triangle": 1, "advance": 1 + 6, "kings-centre": -1,
			"sides": 1, "dog-hole": 1, "mobility": 2 + 1 + 1 + 2 + 0 - (1 + 2 + 4), "trade": 2. / 8, "tempo": -1,
		}},
		// White's king in the corner can neither step nor jump: 25 and 22 are
		// behind one another. No man is past the other's pieces but black's on 26.
		{"B:WK29:B22,25,26", map[string]float64{"men": 3, "kings": -1, "runaway": 1, "trapped": -1}},
		{"B:W20:B21", map[string]float64{"runaway": 0, "sides": 0}},
	} {
		got := totals(t, c.text, 0)
		for name, want := range c.want {
			if math.Abs(got[name]-want) > 1e-6 {
				t.Errorf("%s: %s is %v, want %v", c.text, name, got[name], want)
			}
		}
		other := totals(t, c.text, 1)
		for name, v := range got {
			if math.Abs(other[name]+v) > 1e-6 {
				t.Errorf("%s: %s is %v for black, %v for white: want opposites", c.text, name, v, other[name])
			}
		}
	}
}

// TestColours turns boards round and swaps the colours: the mover sees the same.
func TestColours(t *testing.T) {
	a := totals(t, "B:W21,22,K6,30,32:B1,3,K18,9,12", 0)
	b := totals(t, "W:B12,11,K27,3,1:W32,30,K15,24,21", 1)
	for name, v := range a {
		if math.Abs(b[name]-v) > 1e-6 {
			t.Errorf("%s: %v for black, %v for white", name, v, b[name])
		}
	}
	if len(a) != len(b) || len(a) < 5 {
		t.Errorf("%v and %v", a, b)
	}
}

func shipped(t testing.TB, g *game.Game, name string) *features.Evaluator {
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
			return features.NewEvaluator(g, set, m)
		}
	}
	t.Fatalf("%s is a model of %s, which is no set of the game", name, f.Features)
	return nil
}

// match plays pairs of games from openings of eight random plies, colours
// swapped, and returns a's mean score with half the width of its 95% interval.
func match(t testing.TB, g *game.Game, a, b *features.Evaluator, depth, pairs int) (mean, margin float64) {
	t.Helper()
	var agents [2]search.Agent
	for i, e := range []*features.Evaluator{a, b} {
		var err error
		agents[i], err = search.NewAlphaBeta(search.AlphaBeta{Game: g, Eval: e, Depth: depth, Quiescence: true, Table: 1})
		if err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	sum, squares := 0.0, 0.0
	for range pairs {
		opening := g.New()
		for range 8 {
			if moves := opening.Moves(nil); len(moves) > 0 {
				opening.Play(moves[rng.IntN(len(moves))])
			}
		}
		pair := 0.0
		for side := range 2 {
			s := opening.Clone()
			agents[0].Begin(1)
			agents[1].Begin(1)
			for plies := 0; s.Turn() != game.Nobody && plies < 300; plies++ {
				r, err := agents[int(s.Turn())^side].Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				s.Play(r.Move)
			}
			u := 0.0 // cut off: a draw
			if s.Turn() == game.Nobody {
				u = s.Utility(game.Player(side))
			}
			pair += (u + 1) / 4
		}
		sum += pair
		squares += pair * pair
	}
	n := float64(pairs)
	mean = sum / n
	return mean, 1.96 * math.Sqrt((squares/n-mean*mean)/(n-1))
}

func TestHandwrittenBeatsMaterial(t *testing.T) {
	g := checkersGame(t)
	pairs := 200
	if testing.Short() {
		pairs = 40
	}
	mean, margin := match(t, g, shipped(t, g, "checkers"), shipped(t, g, "checkers-material"), 3, pairs)
	t.Logf("%.1f ± %.1f %% of %d games", 100*mean, 100*margin, 2*pairs)
	if mean-margin <= 0.5 {
		t.Errorf("the hand-written evaluation scores %.3f ± %.3f against men and kings, want more than a half", mean, margin)
	}
}

func BenchmarkExtract(b *testing.B) {
	g := checkersGame(b)
	s, err := g.Parse("B:W18,21,23,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,11,12")
	if err != nil {
		b.Fatal(err)
	}
	for _, set := range Sets(g) {
		b.Run(set.Name(), func(b *testing.B) {
			var x models.Vector
			for b.Loop() {
				x = set.Extract(s, 0, x[:0])
			}
		})
	}
}
