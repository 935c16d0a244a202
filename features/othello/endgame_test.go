package othello

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	"plyfit/game/gametest"
	rules "plyfit/game/othello"
	"plyfit/internal/vectors"
	"plyfit/models"
	"plyfit/search"
)

// An endgame is a position from the test vectors with its exact value, which is the disc difference
// from the mover's point of view.
type endgame struct {
	position string
	best     int
}

func endgames(t testing.TB, path string) (out []endgame) {
	t.Helper()
	for _, line := range vectors.Lines(t, path) {
		fields := strings.Split(line, ";")
		e := endgame{position: strings.Join(strings.Fields(fields[0])[:2], " "), best: -100}
		for _, move := range fields[1:] {
			if _, value, ok := strings.Cut(move, ":"); ok {
				v := vectors.Must(strconv.Atoi(value))
				e.best = max(e.best, v)
			}
		}
		out = append(out, e)
	}
	return out
}

func solve(t testing.TB, g *game.Game, eval search.Evaluator, positions []endgame) (nodes, evaluations int64) {
	t.Helper()
	agent := vectors.Must(search.NewAlphaBeta(search.Options{Game: g, Eval: eval, Depth: 60}))
	seconds := 0.0
	for _, e := range positions {
		s := vectors.Must(g.Parse(e.position))
		agent.Begin(1)
		r := vectors.Must(agent.Search(context.Background(), s))
		if r.Value != float64(e.best) {
			t.Errorf("%s: %v, want %d", e.position, r.Value, e.best)
		}
		nodes += r.Nodes
		evaluations += r.Stats.Evaluations
		seconds += r.Elapsed.Seconds()
		if len(positions) < 20 {
			t.Logf("%d empty: %d in %d nodes, %.2f s", strings.Count(e.position, "-"), e.best, r.Nodes, r.Elapsed.Seconds())
		}
	}
	t.Logf("%d positions, %d nodes, %.2f s, %.0f ns/node", len(positions), nodes, seconds, 1e9*seconds/float64(nodes))
	return nodes, evaluations
}

func TestEndgames(t *testing.T) {
	g, positions := gametest.New(t, rules.New, "othello"), endgames(t, "../../game/othello/testdata/endgames200.obf")
	solve(t, g, search.Zero(g), positions)
	set := classic.Set()
	eval := features.NewEvaluator(g, set, featuretest.Shipped(t, g, set, "handwritten/othello.json"))
	nodes, evaluations := solve(t, g, eval, positions)
	if evaluations > nodes/8 {
		t.Errorf("%d evaluations for %d nodes of searches to the end, want few: only for the order of moves", evaluations, nodes)
	}
}

func TestEndgamesFFO(t *testing.T) {
	if testing.Short() {
		t.Skip("solves positions of up to 19 empty squares")
	}
	g := gametest.New(t, rules.New, "othello")
	solve(t, g, search.Zero(g), endgames(t, vectors.Shared(t, "othello/fforum-1-19.obf")))
}

func TestEndgamesFFO40(t *testing.T) {
	if !vectors.Long() {
		t.Skip("minutes: set PLYFIT_LONG=1")
	}
	g := gametest.New(t, rules.New, "othello")
	solve(t, g, learnedPatterns(t, g), endgames(t, vectors.Shared(t, "othello/fforum-40-44.obf")))
}

// learnedPatterns returns the shipped evaluation that uses the set othello/patterns.
func learnedPatterns(t testing.TB, g *game.Game) *features.Evaluator {
	t.Helper()
	f := vectors.Must(models.Load("../../models/learned/othello.json"))
	m := vectors.Must(features.Bind(newPatterns(), g, f))
	return features.NewEvaluator(g, newPatterns(), m)
}
