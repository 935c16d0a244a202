package catalog_test

import (
	"os"
	"testing"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/internal/vectors"
)

// TestLevels: every game has its three levels, whose agents can be made, and a higher level beats
// the one below it.
func TestLevels(t *testing.T) {
	for _, e := range catalog.All() {
		w := vectors.Must(catalog.All().World(e.Name))
		levels := w.Levels()
		if len(levels) != 3 || levels[0].Name != "easy" || levels[2].Agent != w.Planner() {
			t.Fatalf("%s: levels %v", e.Name, levels)
		}
		for _, l := range levels {
			if _, err := w.Agent(l.Agent, catalog.AgentOptions{}); err != nil {
				t.Errorf("%s, %s: %v", e.Name, l.Name, err)
			}
		}
	}
	names := []string{"connect4", "tictactoe"}
	if os.Getenv("PLYFIT_LONG") != "" {
		names = append(names, "othello", "checkers", "chess", "go:size=5")
	}
	for _, name := range names {
		w := vectors.Must(catalog.All().World(name))
		levels := w.Levels()
		for i := 1; i < len(levels); i++ {
			above, below := vectors.Must(w.Agent(levels[i].Agent, catalog.AgentOptions{})), vectors.Must(w.Agent(levels[i-1].Agent, catalog.AgentOptions{}))
			r, err := arena.Run(t.Context(), arena.Config{Game: w.Game, A: above.Factory, B: below.Factory, Pairs: 30, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if t.Logf("%s: %s against %s: %d wins, %d losses", name, levels[i].Name, levels[i-1].Name, r.Wins, r.Losses); r.Wins <= r.Losses {
				t.Errorf("%s: %s is no better than %s", name, levels[i].Name, levels[i-1].Name)
			}
		}
	}
}
