package search_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

type solved struct {
	s     game.State
	score float64
}

func solvedPositions(t testing.TB, g *game.Game, file string) (out []solved) {
	t.Helper()
	for _, line := range vectors.Lines(t, vectors.Shared(t, file)) {
		f := strings.Fields(line)
		s := vectors.Must(g.Parse(f[0]))
		score := vectors.Must(strconv.ParseFloat(f[1], 64))
		out = append(out, solved{s, score})
	}
	return out
}

func TestSolvesConnect4(t *testing.T) {
	g := world(t, "connect4:score=distance")
	a := searchtest.Made(t, searchtest.AlphaBetaOf, search.Options{Game: g, Eval: search.Zero(g), Depth: 42})
	for _, file := range []string{"connect4/Test_L3_R1.txt", "connect4/Test_L2_R1.txt"} {
		for _, p := range solvedPositions(t, g, file) {
			r := vectors.Must(a.Search(context.Background(), p.s))
			if r.Value != p.score || !r.Exact {
				t.Fatalf("%s: %v (exact: %v), want %v", p.s, r.Value, r.Exact, p.score)
			}
		}
	}
}

func benchmarkSolve(b *testing.B, file string) {
	g := world(b, "connect4:score=distance")
	a := searchtest.Made(b, searchtest.AlphaBetaOf, search.Options{Game: g, Eval: search.Zero(g), Depth: 42})
	positions := solvedPositions(b, g, file)
	var nodes int64
	for b.Loop() {
		a.Begin(0)
		for _, p := range positions {
			r, err := a.Search(context.Background(), p.s)
			if err != nil || r.Value != p.score {
				b.Fatal(p.s, r.Value, p.score, err)
			}
			nodes += r.Nodes
		}
	}
	total := float64(nodes)
	b.ReportMetric(total/float64(b.N)/float64(len(positions)), "nodes/position")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/total, "ns/node")
}

func BenchmarkSolveConnect4L3R1(b *testing.B) { benchmarkSolve(b, "connect4/Test_L3_R1.txt") }
func BenchmarkSolveConnect4L2R1(b *testing.B) { benchmarkSolve(b, "connect4/Test_L2_R1.txt") }
