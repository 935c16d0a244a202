package search_test

import (
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// TestSignatures holds the number of nodes of some searches still: a change that
// moves one of them changes what is searched, and should say so. The first
// four are published or were counted by other programs.
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
		r := searchtest.Ask(t, c.make, c.cfg, s)
		if r.Nodes != c.nodes {
			t.Errorf("%s: %d nodes, want %d", c.name, r.Nodes, c.nodes)
		}
	}
}
