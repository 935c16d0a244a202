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
	"plyfit/internal/asm"
	"plyfit/internal/vectors"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// world makes a game from its spec.
func world(t testing.TB, text string) *game.Game {
	t.Helper()
	s := vectors.Must(game.ParseSpec(text))
	makers := map[string]func(*game.Options) (*game.Game, error){
		"connect4": connect4.New, "pig": pig.New, "2048": g2048.New, "tictactoe": tictactoe.New,
		"othello": othello.New, "checkers": checkers.New, "tree": tree.New,
		"backgammon": backgammon.New, "chess": chess.New,
	}
	g := vectors.Must(makers[s.Name](s.Options))
	return vectors.Must(s.Wrap(g))
}

func benchmark(b *testing.B, a search.Agent, s game.State) {
	b.ReportAllocs()
	var nodes int64
	for b.Loop() {
		r := vectors.Must(a.Search(context.Background(), s))
		nodes += r.Nodes
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
}

func BenchmarkTextbookConnect4(b *testing.B) {
	g := world(b, "connect4")
	a := searchtest.Made(b, searchtest.AlphaBetaOf, search.Options{Game: g, Eval: search.Zero(g), Depth: 11, Order: search.Natural, Table: -1})
	benchmark(b, a, g.New())
}

// BenchmarkPlainPig visits the nodes that OpenSpiel's expectiminimax does.
func BenchmarkPlainPig(b *testing.B) {
	g := world(b, "pig")
	a := searchtest.Made(b, search.NewExpectimax, search.Options{Game: g, Eval: search.Zero(g), Depth: 6, Table: -1, Prune: search.NoPrune, Leaf: models.Afterstate})
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
	c := asm.Transpose(b)
	sum := t[b&0xffff] + t[b>>16&0xffff] + t[b>>32&0xffff] + t[b>>48] +
		t[c&0xffff] + t[c>>16&0xffff] + t[c>>32&0xffff] + t[c>>48]
	return st.Score(0) + float64(sum)
}
