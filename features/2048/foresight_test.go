package g2048

import (
	"context"
	"math"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/models"
	"plyfit/search"
)

// evaluators are the hand-written evaluation as a search takes it, and as it was
// before anything was compiled.
func evaluators(t testing.TB, g *game.Game) (fast, slow search.Evaluator) {
	t.Helper()
	set := sets(g)[0]
	m := featuretest.Shipped(t, g, set, "handwritten/2048.json")
	f, ok := features.NewEvaluator(g, set, m).Foresight()
	if !ok {
		t.Fatal("no foresight")
	}
	return f, features.NewReference(g, set, m)
}

// A search that is informed of the last decision finds what one finds that makes
// every move, and visits as many nodes where there is no table.
func TestForesightInSearch(t *testing.T) {
	g := newGame(t, "2048")
	fast, slow := evaluators(t, g)
	for _, c := range []search.Options{{Depth: 1}, {Depth: 2, Table: -1}, {Depth: 2}, {Depth: 3, Prune: search.NoPrune}, {Depth: 3}} {
		c.Game, c.Leaf, c.Eval = g, models.Afterstate, fast
		agent := vectors.Must(search.NewExpectimax(c))
		c.Eval, c.Prune, c.Table = slow, search.NoPrune, -1
		plain := vectors.Must(search.NewExpectimax(c))
		for _, text := range boards {
			s := vectors.Must(g.Parse(text))
			got := vectors.Must(agent.Search(context.Background(), s))
			want := vectors.Must(plain.Search(context.Background(), s))
			if math.Abs(got.Value-want.Value) > 1e-9*math.Abs(want.Value) || got.Move != want.Move || got.Exact {
				t.Errorf("%s, depth %d: %v %v (exact: %v), plain %v %v", text, c.Depth, got.Move, got.Value, got.Exact, want.Move, want.Value)
			}
			if c.Depth == 2 && got.Nodes > want.Nodes || c.Depth == 1 && got.Nodes != want.Nodes {
				t.Errorf("%s, depth %d: %d nodes, plain %d", text, c.Depth, got.Nodes, want.Nodes)
			}
		}
	}
}

// boards are of a game from its beginning to its end.
var boards = []string{
	"0012/0000/0100/0000 player 0", "1003/0214/1357/2468 player 0", "0001/0123/2356/789a player 0",
	"1000/3200/4610/8a92 player 0", "0012/1134/2465/379b player 0",
}

func benchmarkSearch(b *testing.B, c search.Options) {
	g := newGame(b, "2048")
	c.Game, c.Leaf = g, models.Afterstate
	c.Eval, _ = evaluators(b, g)
	a := vectors.Must(search.NewExpectimax(c))
	var positions []game.State
	for _, text := range boards {
		s := vectors.Must(g.Parse(text))
		positions = append(positions, s)
	}
	tried := int64(0) // moves made whose result was evaluated
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range positions {
			a.Begin(0)
			r := vectors.Must(a.Search(context.Background(), s))
			tried += r.Stats.Evaluations
		}
	}
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(tried)/seconds/1e6, "Mtried/s")
	b.ReportMetric(float64(len(positions)*b.N)/seconds, "decided/s")
}

func BenchmarkSearchDepth3(b *testing.B) { benchmarkSearch(b, search.Options{Depth: 3}) }
func BenchmarkSearchDepth3NoTable(b *testing.B) {
	benchmarkSearch(b, search.Options{Depth: 3, Table: -1})
}
