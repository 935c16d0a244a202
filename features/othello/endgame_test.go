package othello

import (
	"bufio"
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// endgame is a position and the exact values of its moves, as the vectors have
// them: the mover's difference in discs.
type endgame struct {
	position string
	best     int
}

func endgames(t testing.TB, path string) (out []endgame) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		fields := strings.Split(in.Text(), ";")
		e := endgame{position: strings.Join(strings.Fields(fields[0])[:2], " "), best: -100}
		for _, move := range fields[1:] {
			if _, value, ok := strings.Cut(move, ":"); ok {
				v, err := strconv.Atoi(value)
				if err != nil {
					t.Fatal(err)
				}
				e.best = max(e.best, v)
			}
		}
		out = append(out, e)
	}
	return out
}

func solve(t testing.TB, g *game.Game, positions []endgame) {
	t.Helper()
	agent, err := search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: 60})
	if err != nil {
		t.Fatal(err)
	}
	nodes, seconds := int64(0), 0.0
	for _, e := range positions {
		s, err := g.Parse(e.position)
		if err != nil {
			t.Fatal(err)
		}
		agent.Begin(1)
		r, err := agent.Search(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if r.Value != float64(e.best) {
			t.Errorf("%s: %v, want %d", e.position, r.Value, e.best)
		}
		nodes += r.Nodes
		seconds += r.Elapsed.Seconds()
		if len(positions) < 20 {
			t.Logf("%d empty: %d in %d nodes, %.2f s", strings.Count(e.position, "-"), e.best, r.Nodes, r.Elapsed.Seconds())
		}
	}
	t.Logf("%d positions, %d nodes, %.2f s, %.0f ns/node", len(positions), nodes, seconds, 1e9*seconds/float64(nodes))
}

func TestEndgames(t *testing.T) {
	solve(t, othelloGame(t), endgames(t, "../../game/othello/testdata/endgames200.obf"))
}

func TestEndgamesFFO(t *testing.T) {
	if testing.Short() {
		t.Skip("solves positions of up to 19 empty squares")
	}
	solve(t, othelloGame(t), endgames(t, vectors.Shared(t, "othello/fforum-1-19.obf")))
}

func TestEndgamesFFO40(t *testing.T) {
	if !vectors.Long() {
		t.Skip("minutes: set PLYFIT_LONG=1")
	}
	solve(t, othelloGame(t), endgames(t, vectors.Shared(t, "othello/fforum-40-44.obf")))
}
