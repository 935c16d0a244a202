package train

import (
	"testing"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/features/tuples"
)

// TestTablesLearn: the set of tables that makes itself is learned in few games of each kind
// of board, by the settings that the game gets for it.
func TestTablesLearn(t *testing.T) {
	for _, c := range []struct {
		ground
		games int
	}{
		{ground{spec: "2048:size=3", pairs: 30}, 1000},
		{ground{spec: "connect4:columns=5", plies: 4, pairs: 60}, 3000},
		{ground{spec: "tictactoe", plies: 2, pairs: 60}, 3000},
		{ground{spec: "go:size=5", plies: 2, pairs: 30}, 400},
		{ground{spec: "checkers", plies: 4, pairs: 30}, 1500},
		{ground{spec: "othello", plies: 4, pairs: 30}, 1000},
	} {
		t.Run(c.spec, func(t *testing.T) {
			w, err := catalog.All().World(c.spec)
			if err != nil {
				t.Fatal(err)
			}
			stages := w.Tables()
			if len(stages) != 1 || stages[0].Set != tuples.Name {
				t.Fatalf("stages %+v", stages)
			}
			o, err := Defaults(w, stages[0])
			if err != nil {
				t.Fatal(err)
			}
			o.Episodes, o.Seed = c.games, 7
			p, l, err := apprentice(w, o, nil)
			if err != nil {
				t.Fatal(err)
			}
			if r := c.strength(t, p, learned(t, p, l, 1)); r.Conclusion != arena.BetterA {
				t.Errorf("after %d games: %s", c.games, r.Sentence)
			}
		})
	}
}
