package pacman

import (
	"context"
	"fmt"
	"math"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	"plyfit/game/gametest"
	maze "plyfit/game/pacman"
	"plyfit/internal/vectors"
	"plyfit/models"
	"plyfit/search"
)

func newGame(t testing.TB, text string) *game.Game {
	t.Helper()
	return gametest.New(t, maze.New, text)
}

// smallClassic is Berkeley's layout among the shared vectors; the test is skipped
// where they are absent.
func smallClassic(t testing.TB) string {
	t.Helper()
	return vectors.Shared(t, "pacman/layouts/smallClassic.lay")
}

// result is what many games came to.
type result struct {
	games             int
	mean, won, moves  float64
	deviation         float64 // of the mean
	unfinished, nodes int64
}

func (r result) String() string {
	return fmt.Sprintf("%d games: %.1f ± %.1f, won %.1f%%, %.0f moves, %d unfinished", r.games, r.mean, 2*r.deviation, 100*r.won, r.moves, r.unfinished)
}

// measure plays games of expectimax with a model.
func measure(t testing.TB, g *game.Game, m *models.Linear, depth, games int, seed uint64) result {
	t.Helper()
	a, err := search.NewExpectimax(search.Options{
		Game: g, Eval: features.NewEvaluator(g, Sets(g)[0], m), Depth: depth, Leaf: m.Leaves, Ties: search.Random, Table: 4,
	})
	if err != nil {
		t.Fatal(err)
	}
	r := result{games: games}
	var squares float64
	for i := range games {
		luck := game.Mix(seed + uint64(i))
		a.Begin(luck)
		s := g.New()
		plies := 0
		for ; s.Turn() != game.Nobody && plies < g.MaxPlies; plies++ {
			if s.Turn() == game.Chance {
				luck = game.Mix(luck)
				s.Play(game.Drawn(s, s.Moves(nil), float64(luck>>11)/(1<<53)))
				continue
			}
			answer, err := a.Search(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			r.nodes += answer.Nodes
			r.moves++
			s.Play(answer.Move)
		}
		v := s.(*maze.State).Score(0)
		r.mean += v
		squares += v * v
		if s.(*maze.State).Won() {
			r.won++
		}
		if s.Turn() != game.Nobody {
			r.unfinished++
		}
	}
	n := float64(games)
	r.mean, r.won, r.moves = r.mean/n, r.won/n, r.moves/n
	r.deviation = math.Sqrt((squares/n - r.mean*r.mean) / n)
	return r
}

func shipped(t testing.TB, g *game.Game) *models.Linear {
	return featuretest.Shipped(t, g, Sets(g)[0], "handwritten/pacman.json")
}
