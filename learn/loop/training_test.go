package loop

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/vectors"
)

// trainingRun returns a small tic-tac-toe run with two stages.
func trainingRun(t *testing.T, dir string, workers int) Options {
	t.Helper()
	w := vectors.Must(catalog.All().World("tictactoe"))
	r := w.Recipe()
	r.Training = []features.Training{
		{Episodes: 300, Lambda: 0.7, Batch: 4},
		{Method: "treestrap", Episodes: 320},
	}
	r.Tests, r.Pairs, r.TwinPairs = 20, 4, 2
	return Options{Catalog: catalog.All(), World: w, Recipe: r, Seed: 1, Workers: workers, Dir: dir, Log: io.Discard, Quiet: true}
}

// TestTraining checks that each stage starts from the result of the previous one.
func TestTraining(t *testing.T) {
	o := vectors.Must(Run(context.Background(), trainingRun(t, t.TempDir(), 1)))
	if len(o.Stages) != 2 || o.Stages[0].Episodes != 300 || o.Stages[1].Episodes != 320 {
		t.Fatalf("stages %+v", o.Stages)
	}
	init := ""
	for _, item := range o.Stages[1].Settings {
		if item.Key == "init" {
			init = item.Value
		}
	}
	if init != "stage 1" {
		t.Errorf("the second stage begins with %q, want the first one's weights", init)
	}
	if o.Test.Rows == 0 || o.Test.R2 <= 0 || o.Test.R2 >= 1 {
		t.Errorf("tested on %d rows, R² %v", o.Test.Rows, o.Test.R2)
	}
}

// TestAccepted checks rounds that learn almost nothing after the first, in four runs. The run's
// model must be the last one that was accepted. No acceptance match may have the contests' seed. No
// two rounds of these runs may have the same seed, and none may have the seed of a run.
func TestAccepted(t *testing.T) {
	w := vectors.Must(catalog.All().World("tictactoe"))
	refused, played := false, map[uint64]bool{1: true, 2: true, 3: true, 4: true}
	for seed := uint64(1); seed <= 4; seed++ {
		r := w.Recipe()
		r.Rounds, r.Episodes, r.Pairs, r.TwinPairs = 3, 40, 4, 2
		c := Options{Catalog: catalog.All(), World: w, Recipe: r, Seed: seed, Workers: 1, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
		o := vectors.Must(Run(context.Background(), c))
		last := 0
		for k, round := range o.Rounds {
			if played[round.Data.Seed] {
				t.Errorf("seed %d, round %d plays with seed %d, as another does", seed, k+1, round.Data.Seed)
			}
			played[round.Data.Seed] = true
			if round.Accepted {
				last = k + 1
			} else {
				refused = true
			}
			switch {
			case k == 0 && (round.Match != nil || !round.Accepted):
				t.Errorf("seed %d: the first round has nothing to be measured by", seed)
			case k > 0 && round.Accepted == (lead(round.Match) < 0):
				t.Errorf("seed %d, round %d: accepted: %v after %s", seed, k+1, round.Accepted, round.Match.Sentence)
			case k > 0 && round.Match.Seed == c.Seed:
				t.Errorf("seed %d, round %d: accepted by the games of the contests", seed, k+1)
			case k > 0 && !(round.Losses.New > 0 && round.Losses.Best > 0):
				t.Errorf("seed %d, round %d: losses %+v", seed, k+1, round.Losses)
			}
		}
		if o.Shipped != last {
			t.Errorf("seed %d: round %d ships, want %d", seed, o.Shipped, last)
		}
		want := vectors.Must(os.ReadFile(c.modelPath(last)))
		if got, err := os.ReadFile(o.Model); err != nil || !bytes.Equal(got, want) {
			t.Errorf("seed %d: the run's model is not that of round %d (%v)", seed, last, err)
		}
	}
	if !refused {
		t.Error("no round was refused: the test tries nothing")
	}
}

// TestGamePicture checks that the report shows a fixed number of boards from a game of the learned
// evaluation, and that the last one is the end of the game.
func TestGamePicture(t *testing.T) {
	c := trainingRun(t, t.TempDir(), 1)
	c.Recipe.Training[0].Episodes, c.Recipe.Training[1].Episodes = 20, 20
	o := vectors.Must(Run(context.Background(), c))
	page := vectors.Must(os.ReadFile(filepath.Join(c.Dir, "report.html")))
	if n := strings.Count(string(page), `aria-label="tic-tac-toe`); n != moments {
		t.Errorf("%d boards in the report, want %d", n, moments)
	}
	if f, ok, err := o.gamePicture(); !ok || err != nil || !strings.Contains(string(f.SVG), "at the end, after") {
		t.Errorf("the figure lacks the end of the game (%v, %v)", ok, err)
	}
}

// TestTwinsDiffer checks that at least three of the six games played in a game's twin are distinct,
// even if an adversary chooses the chance moves. The game named tree is an exception.
func TestTwinsDiffer(t *testing.T) {
	for _, e := range catalog.All() {
		w := vectors.Must(catalog.All().World(e.Name))
		c := Options{Catalog: catalog.All(), World: w, Recipe: w.Recipe(), Seed: 404, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true, pace: &pace{}}
		twin := vectors.Must(c.twin())
		if twin == nil {
			continue
		}
		planner := c.Recipe.TwinPlanners[0]
		contest := Contest{World: twin, Planner: planner, A: "handwritten", B: "zero", Pairs: 3, Seed: c.Seed, file: "twin"}
		if err := c.play(context.Background(), &contest, "handwritten"); err != nil {
			t.Fatalf("%s: %v", twin.Spec, err)
		}
		if r := contest.Result; r.Distinct < r.Pairs && e.Name != "tree" { // the tree has only two decisions, so games may be equal
			t.Errorf("%s under %s: %d of %d games are distinct", twin.Spec, planner, r.Distinct, r.Games)
		}
	}
}

// TestNothingSaid checks that the table gives a reason instead of a verdict if there are too few
// pairs or too few of them differ.
func TestNothingSaid(t *testing.T) {
	for _, measure := range []arena.Measure{arena.Wins, arena.Utility} {
		c := Contest{World: vectors.Must(catalog.All().World("backgammon+adversary")), Game: "backgammon+adversary", Planner: "expectimax:depth=1", A: "learned", B: "handwritten", Pairs: 10}
		c.Result = arena.Result{Measure: measure, Mode: arena.Duel, Pairs: 10, Games: 20, Distinct: 2,
			Score: stats.Estimate{Known: true, Value: 0.75, Lacks: "too few pairs: 1 that differ among 10, want at least 8"}}
		c.Result.Difference = c.Result.Score
		said, table := finding(&c, "U"), EvaluationTables([]Contest{c})[0]
		planners := Contest{Game: c.Game, A: "expectimax", B: "alphabeta", Result: c.Result}
		for _, text := range []string{said, plannerFinding(&planners), table.Rows[0][3]} {
			if !strings.Contains(text, "1 that differ among 10") || strings.Contains(text, "no significant difference") || strings.Contains(text, "beats") {
				t.Errorf("%s: %q", measure, text)
			}
		}
	}
}
