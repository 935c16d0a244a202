package search

import (
	"context"
	"testing"

	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/internal/spec"
)

// world makes a game from its spec, without wrappers.
func world(t testing.TB, text string) *game.Game {
	t.Helper()
	s, err := spec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	makers := map[string]func(*game.Options) (*game.Game, error){"connect4": connect4.New}
	g, err := makers[s.Name](s.Options)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func benchmark(b *testing.B, a Agent, s game.State) {
	b.ReportAllocs()
	var nodes int64
	for b.Loop() {
		r, err := a.Search(context.Background(), s)
		if err != nil {
			b.Fatal(err)
		}
		nodes += r.Nodes
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
}

func BenchmarkTextbookConnect4(b *testing.B) {
	g := world(b, "connect4")
	a, err := NewAlphaBeta(Config{Game: g, Eval: Zero(g), Depth: 11, Order: Natural, Table: -1})
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, a, g.New())
}
