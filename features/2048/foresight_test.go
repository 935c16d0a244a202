package g2048

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	board "plyfit/game/2048"
	"plyfit/models"
	"plyfit/search"
)

// ahead is what Foresee promises, move by move.
func ahead(s game.State, sum features.Compiled) (value float64, nodes, evaluations int64, ends int) {
	chance, bounder := s.(game.Chancer), s.(game.Bounder)
	for e := range game.Move(2) { // in the order in which Foresee adds up
		for _, tile := range s.Moves(nil) {
			if tile&1 != e {
				continue
			}
			p := chance.Prob(tile)
			s.Play(tile)
			nodes++
			best := math.Inf(-1)
			for _, m := range s.Moves(nil) {
				s.Play(m)
				nodes, evaluations = nodes+1, evaluations+1
				lo, hi := bounder.Bounds(0)
				best = max(best, min(max(sum.Sum(s, 0), lo), hi))
				s.Undo()
			}
			if s.Turn() == game.Nobody {
				best = s.Utility(0)
				ends++
			}
			s.Undo()
			value += float64(p * best)
		}
	}
	return value, nodes, evaluations, ends
}

// What is foreseen is what comes of it, to the last bit, for weights that make
// evaluations stray out of their bounds, too.
func TestForesee(t *testing.T) {
	g := newGame(t, "2048")
	set := Sets(g)[0]
	r := rand.New(rand.NewPCG(1, 2))
	var list []*models.Linear
	list = append(list, featuretest.Shipped(t, g, set, "handwritten/2048.json"))
	for _, scale := range []float64{1, 3000} {
		m := models.New("2048", set.Name(), set.Blocks())
		for i := range m.Weights {
			m.Weights[i] = scale * r.NormFloat64()
		}
		m.Weights[0] = 1
		list = append(list, m)
	}
	for _, m := range list {
		sum := set.(features.Compiler).Compile(g, m)
		seen, ends := 0, 0
		for seen < 3000 {
			for s := g.New(); s.Turn() != game.Nobody; {
				if s.Turn() == game.Chance && s.(*board.State).Empty() < 16 {
					v, nodes, evaluations, ok := sum.(*rowTables).Foresee(s)
					wantV, wantNodes, wantEvaluations, over := ahead(s, sum)
					if !ok || v != wantV || nodes != wantNodes || evaluations != wantEvaluations {
						t.Fatalf("%v: %v in %d nodes, %d evaluations, %v; want %v in %d, %d", s, v, nodes, evaluations, ok, wantV, wantNodes, wantEvaluations)
					}
					seen, ends = seen+1, ends+over
				}
				moves := s.Moves(nil)
				s.Play(moves[r.IntN(len(moves))])
			}
		}
		if ends == 0 {
			t.Errorf("no game ended in what %d positions foresaw", seen)
		}
	}
	if _, _, _, ok := set.(features.Compiler).Compile(g, list[0]).(*rowTables).Foresee(g.New()); ok {
		t.Error("a board without tiles was foreseen: two tiles come there")
	}
}

// evaluators are the hand-written evaluation as a search takes it, and as it was
// before anything was compiled.
func evaluators(t testing.TB, g *game.Game) (fast, slow search.Evaluator) {
	t.Helper()
	set := Sets(g)[0]
	m := featuretest.Shipped(t, g, set, "handwritten/2048.json")
	f, ok := features.NewEvaluator(g, set, m).Foresight()
	if !ok {
		t.Fatal("no foresight")
	}
	return f, features.NewReference(g, set, m)
}

// A search that is told of the last decision finds what one finds that makes
// every move, and visits as many nodes where there is no table.
func TestForesightInSearch(t *testing.T) {
	g := newGame(t, "2048")
	fast, slow := evaluators(t, g)
	for _, c := range []search.Options{{Depth: 1}, {Depth: 2, Table: -1}, {Depth: 2}, {Depth: 3, Prune: search.NoPrune}, {Depth: 3}} {
		c.Game, c.Leaf, c.Eval = g, models.Afterstate, fast
		agent, err := search.NewExpectimax(c)
		if err != nil {
			t.Fatal(err)
		}
		c.Eval, c.Prune, c.Table = slow, search.NoPrune, -1
		plain, err := search.NewExpectimax(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range boards {
			s, err := g.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			got, err := agent.Search(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			want, err := plain.Search(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
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
	a, err := search.NewExpectimax(c)
	if err != nil {
		b.Fatal(err)
	}
	var positions []game.State
	for _, text := range boards {
		s, err := g.Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		positions = append(positions, s)
	}
	tried := int64(0) // moves made whose result was evaluated
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range positions {
			a.Begin(0)
			r, err := a.Search(context.Background(), s)
			if err != nil {
				b.Fatal(err)
			}
			tried += r.Stats.Evaluations
		}
	}
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(tried)/seconds/1e6, "Mtried/s")
	b.ReportMetric(float64(len(positions)*b.N)/seconds, "decided/s")
}

func BenchmarkSearchDepth1(b *testing.B) { benchmarkSearch(b, search.Options{Depth: 1}) }
func BenchmarkSearchDepth2(b *testing.B) { benchmarkSearch(b, search.Options{Depth: 2}) }
func BenchmarkSearchDepth3(b *testing.B) { benchmarkSearch(b, search.Options{Depth: 3}) }
func BenchmarkSearchDepth2NoTable(b *testing.B) {
	benchmarkSearch(b, search.Options{Depth: 2, Table: -1})
}
func BenchmarkSearchDepth3NoTable(b *testing.B) {
	benchmarkSearch(b, search.Options{Depth: 3, Table: -1})
}
func BenchmarkSearchDepth4(b *testing.B) { benchmarkSearch(b, search.Options{Depth: 4}) }
