package search_test

import (
	"context"
	"testing"

	"plyfit/game"
	g2048 "plyfit/game/2048"
	"plyfit/game/backgammon"
	"plyfit/game/checkers"
	"plyfit/game/chess"
	"plyfit/game/connect4"
	"plyfit/game/othello"
	"plyfit/game/pig"
	"plyfit/game/tictactoe"
	"plyfit/game/tree"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// world makes a game from its spec.
func world(t testing.TB, text string) *game.Game {
	t.Helper()
	s, err := game.ParseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	makers := map[string]func(*game.Options) (*game.Game, error){
		"connect4": connect4.New, "pig": pig.New, "2048": g2048.New, "tictactoe": tictactoe.New,
		"othello": othello.New, "checkers": checkers.New, "tree": tree.New,
		"backgammon": backgammon.New, "chess": chess.New,
	}
	g, err := makers[s.Name](s.Options)
	if err != nil {
		t.Fatal(err)
	}
	if g, err = s.Wrap(g); err != nil {
		t.Fatal(err)
	}
	return g
}

func benchmark(b *testing.B, a search.Agent, s game.State) {
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
	a, err := searchtest.AlphaBetaOf(search.Options{Game: g, Eval: search.Zero(g), Depth: 11, Order: search.Natural, Table: -1})
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, a, g.New())
}

// BenchmarkFrontier is the textbook's search with the loop over the last moves that
// frontier is and with its own loops alone, which visit the same nodes. It is what
// the third loop of alpha-beta is kept for.
func BenchmarkFrontier(b *testing.B) {
	for _, name := range []string{"frontier", "textbook"} {
		b.Run(name, func(b *testing.B) {
			g := world(b, "connect4")
			c := search.Options{Game: g, Eval: search.Zero(g), Depth: 9, Order: search.Natural, Table: -1}
			if name == "textbook" {
				c.Observer = deaf{} // it hears of every node, which keeps frontier off
			}
			a, err := searchtest.AlphaBetaOf(c)
			if err != nil {
				b.Fatal(err)
			}
			benchmark(b, a, g.New())
		})
	}
}

// deaf is an Observer that hears nothing.
type deaf struct{}

func (deaf) Node(game.State, int, float64, search.Bound) {}

// BenchmarkPlainPig visits the nodes that OpenSpiel's expectiminimax does.
func BenchmarkPlainPig(b *testing.B) {
	g := world(b, "pig")
	a, err := search.NewExpectimax(search.Options{Game: g, Eval: search.Zero(g), Depth: 6, Table: -1, Prune: search.NoPrune, Leaf: models.Afterstate})
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, a, g.New())
}

// rowTables is an evaluation of 2048 by rows and columns, each looked up.
type rowTables [1 << 16]float32

func newRowTables() *rowTables {
	t := new(rowTables)
	for row := range t {
		var e [4]int
		for i := range e {
			e[i] = row >> (4 * i) & 15
		}
		v := 0.0
		for i, x := range e {
			if x == 0 {
				v += 270
			}
			if i > 0 {
				d := float64(x - e[i-1])
				v -= 5 * d * d
				if x == e[i-1] && x > 0 {
					v += 700
				}
			}
		}
		t[row] = float32(v)
	}
	return t
}

func (t *rowTables) Evaluate(s game.State, _ game.Player) float64 {
	st := s.(*g2048.State)
	b := st.Board()
	c := g2048.Transpose(b)
	sum := t[b&0xffff] + t[b>>16&0xffff] + t[b>>32&0xffff] + t[b>>48] +
		t[c&0xffff] + t[c>>16&0xffff] + t[c>>32&0xffff] + t[c>>48]
	return st.Score(0) + float64(sum)
}

func benchmark2048(b *testing.B, c search.Options) {
	g := world(b, "2048")
	c.Game, c.Eval, c.Leaf = g, newRowTables(), models.Afterstate
	tried := int64(0) // moves made whose result was evaluated
	a, err := search.NewExpectimax(c)
	if err != nil {
		b.Fatal(err)
	}
	var positions []game.State
	for _, text := range []string{
		"0012/0000/0100/0000 player 0", "1003/0214/1357/2468 player 0", "0001/0123/2356/789a player 0",
		"1000/3200/4610/8a92 player 0", "0012/1134/2465/379b player 0",
	} {
		s, err := g.Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		positions = append(positions, s)
	}
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

func Benchmark2048Depth1(b *testing.B) { benchmark2048(b, search.Options{Depth: 1}) }
func Benchmark2048Depth2(b *testing.B) { benchmark2048(b, search.Options{Depth: 2}) }
func Benchmark2048Depth3(b *testing.B) { benchmark2048(b, search.Options{Depth: 3}) }
func Benchmark2048Depth2Plain(b *testing.B) {
	benchmark2048(b, search.Options{Depth: 2, Prune: search.NoPrune, Table: -1})
}
func Benchmark2048Depth3Plain(b *testing.B) {
	benchmark2048(b, search.Options{Depth: 3, Prune: search.NoPrune, Table: -1})
}
func Benchmark2048Depth3Cut(b *testing.B) {
	benchmark2048(b, search.Options{Depth: 3, MinProb: 1e-4})
}
