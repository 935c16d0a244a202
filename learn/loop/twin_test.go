package loop

import (
	"context"
	"io"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
)

// TestTwinsDiffer: games of the twin of every game differ, also where an adversary has
// the luck.
func TestTwinsDiffer(t *testing.T) {
	for _, e := range catalog.All() {
		w, err := catalog.All().World(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		c := Options{Catalog: catalog.All(), World: w, Recipe: w.Recipe(), Seed: 404, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true, pace: &pace{}}
		twin, err := c.twin()
		if err != nil {
			t.Fatal(err)
		}
		if twin == nil {
			continue
		}
		planner := c.Recipe.TwinPlanners[0]
		contest := Contest{World: twin, Planner: planner, A: "handwritten", B: "zero", Pairs: 10, Seed: c.Seed, file: "twin"}
		if err := c.play(context.Background(), &contest, "handwritten"); err != nil {
			t.Fatalf("%s: %v", twin.Spec, err)
		}
		if r := contest.Result; r.Distinct < r.Pairs && e.Name != "tree" { // which has two decisions
			t.Errorf("%s under %s: %d of %d games are distinct", twin.Spec, planner, r.Distinct, r.Games)
		}
	}
}

// TestNothingSaid: of pairs that are too few, or too few of which differ, there is a reason
// in the table and no verdict.
func TestNothingSaid(t *testing.T) {
	for _, measure := range []arena.Measure{arena.Wins, arena.Utility} {
		c := Contest{Game: "backgammon+adversary", Planner: "expectimax:depth=1", A: "learned", B: "handwritten", Pairs: 10}
		c.Result = arena.Result{Measure: measure, Mode: arena.Duel, Pairs: 10, Games: 20, Distinct: 2,
			Score: stats.Estimate{Known: true, Value: 0.75, Lacks: "too few pairs: 1 that differ among 10, want at least 8"}}
		c.Result.Difference = c.Result.Score
		said, table := finding(&c), EvaluationTables([]Contest{c})[0]
		planners := Contest{Game: c.Game, A: "expectimax", B: "alphabeta", Result: c.Result}
		for _, text := range []string{said, plannerFinding(&planners), table.Rows[0][3]} {
			if !strings.Contains(text, "1 that differ among 10") || strings.Contains(text, "no significant difference") || strings.Contains(text, "beats") {
				t.Errorf("%s: %q", measure, text)
			}
		}
	}
}
