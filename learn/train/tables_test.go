package train

import (
	"testing"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/features/tuples"
)

// TestTablesLearn: the set of tables that makes itself is learned in few games of each kind
// of board, by the settings that the game gets for it; and so it is behind a game's terms.
func TestTablesLearn(t *testing.T) {
	tables, joined := (*catalog.World).Tables, (*catalog.World).Joined
	for _, c := range []struct {
		ground
		games  int
		stages func(*catalog.World) []features.Training
		set    string
	}{
		{ground{spec: "2048:size=3", pairs: 30}, 1000, tables, tuples.Name},
		{ground{spec: "connect4:columns=5", plies: 4, pairs: 60}, 3000, tables, tuples.Name},
		{ground{spec: "tictactoe", plies: 2, pairs: 60}, 3000, tables, tuples.Name},
		{ground{spec: "go:size=5", plies: 2, pairs: 30}, 400, tables, tuples.Name},
		{ground{spec: "checkers", plies: 4, pairs: 30}, 1500, tables, tuples.Name},
		{ground{spec: "othello", plies: 4, pairs: 30}, 1000, tables, tuples.Name},
		{ground{spec: "backgammon", pairs: 30}, 300, tables, tuples.Name},
		{ground{spec: "pig:target=50", pairs: 100}, 3000, tables, tuples.Name},
		{ground{spec: "connect4:columns=5", plies: 4, pairs: 60}, 1000, joined, tuples.JoinedName},
		{ground{spec: "2048:size=3", pairs: 30}, 500, joined, tuples.JoinedName},
	} {
		t.Run(c.spec+"/"+c.set, func(t *testing.T) {
			w, err := catalog.All().World(c.spec)
			if err != nil {
				t.Fatal(err)
			}
			stages := c.stages(w)
			if len(stages) != 1 || stages[0].Set != c.set {
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
