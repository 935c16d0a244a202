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

// world returns the game with the given spec.
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
	a := searchtest.MustAgent(b, searchtest.AlphaBetaOf, search.Options{Game: g, Eval: search.Zero(g), Depth: 11, Order: search.Natural, Table: -1})
	benchmark(b, a, g.New())
}

// BenchmarkPlainPig visits the same nodes as OpenSpiel's expectiminimax.
func BenchmarkPlainPig(b *testing.B) {
	g := world(b, "pig")
	a := searchtest.MustAgent(b, search.NewExpectimax, search.Options{Game: g, Eval: search.Zero(g), Depth: 6, Table: -1, Prune: search.NoPrune, Leaf: models.Afterstate})
	benchmark(b, a, g.New())
}

// rowTables evaluates positions of 2048 by looking up every row and column in a table.
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

// TestSignatures checks the number of nodes that several searches visit. If one of these numbers
// changes, the search visits different nodes, and the commit message should explain why. The first
// four numbers have been published or were counted by other programs.
func TestSignatures(t *testing.T) {
	c4, ttt, pig, dice, g2048 := world(t, "connect4"), world(t, "tictactoe"), world(t, "pig"), world(t, "connect4:dice=on"), world(t, "2048")
	c4d := world(t, "connect4:score=distance")
	for _, c := range []struct {
		name  string
		make  func(search.Options) (search.Agent, error)
		cfg   search.Options
		at    string
		nodes int64
	}{
		{"tic-tac-toe, minimax", searchtest.MinimaxOf, search.Options{Game: ttt, Eval: search.Zero(ttt), Depth: 9}, "......... X", 549946},
		{"tic-tac-toe, textbook", searchtest.AlphaBetaOf, search.Options{Game: ttt, Eval: search.Zero(ttt), Depth: 9, Order: search.Natural, Table: -1}, "......... X", 18297},
		{"connect four, textbook", searchtest.AlphaBetaOf, search.Options{Game: c4, Eval: search.Zero(c4), Depth: 11, Order: search.Natural, Table: -1}, "start", 1692129},
		{"pig, expectimax", search.NewExpectimax, search.Options{Game: pig, Eval: search.Zero(pig), Depth: 6, Prune: search.NoPrune, Table: -1, Leaf: models.Afterstate}, "", 56023},
		{"connect four, alpha-beta", searchtest.AlphaBetaOf, search.Options{Game: c4, Eval: fours{}, Depth: 8}, "start", 4067},
		{"connect four, no table", searchtest.AlphaBetaOf, search.Options{Game: c4, Eval: fours{}, Depth: 8, Table: -1}, "start", 5180},
		{"connect four, solved", searchtest.AlphaBetaOf, search.Options{Game: c4d, Eval: search.Zero(c4d), Depth: 42}, "44445326222666", 24893},
		{"dice, expectimax", search.NewExpectimax, search.Options{Game: dice, Eval: fours{}, Depth: 3, Prune: search.NoPrune}, "", 4474},
		{"dice, star1", search.NewExpectimax, search.Options{Game: dice, Eval: fours{}, Depth: 3, Prune: search.Star1}, "", 4862},
		{"dice, star2", search.NewExpectimax, search.Options{Game: dice, Eval: fours{}, Depth: 3, Prune: search.Star2}, "", 1779},
		{"2048, expectimax", search.NewExpectimax, search.Options{Game: g2048, Eval: newRowTables(), Depth: 2, Leaf: models.Afterstate}, "0012/1134/2465/379b player 0", 73},
	} {
		var s game.State
		if c.at == "" {
			s = c.cfg.Game.New()
		} else {
			s = vectors.Must(c.cfg.Game.Parse(c.at))
		}
		r := searchtest.SearchOnce(t, c.make, c.cfg, s)
		if r.Nodes != c.nodes {
			t.Errorf("%s: %d nodes, want %d", c.name, r.Nodes, c.nodes)
		}
	}
}
