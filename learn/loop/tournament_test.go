package loop

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/vectors"
)

// own returns a catalog with a user's game, which is a variant of pig. It has features and a weak
// hand-written model but no recipe.
func own(t *testing.T) (catalog.Catalog, *catalog.World) {
	t.Helper()
	games := slices.Clone(catalog.All())
	for i := range games {
		if e := &games[i]; e.Name == "pig" {
			e.Profile = features.Profile{Sets: e.Sets}
			e.Models = fstest.MapFS{"handwritten/pig.json": {Data: []byte(`{"format": "plyfit-model/1", "game": "pig", "features": "pig/race", "link": "tanh", "scale": 1, "bias": 0, "terms": [{"name": "race", "weight": 0.1}]}`)}}
		}
	}
	return games, vectors.Must(games.World("pig:target=12"))
}

// TestTournament checks a tournament between three learners for a user's game without a recipe. The
// winner must beat the hand-written model, and the run must report the tournament. The result must
// be the same with a different number of workers and after some of the files are deleted.
func TestTournament(t *testing.T) {
	games, w := own(t)
	r := w.Recipe()
	if len(r.Trials) != 5 {
		t.Fatalf("%d trials: want regression, td, evolution and two kinds of tables", len(r.Trials))
	}
	r.Trials = r.Trials[:3]
	r.Episodes, r.Trials[1][0].Episodes, r.Trials[2][0].Episodes = 300, 1000, 1000
	r.Pairs, r.TwinPairs, r.Planners = 150, 2, []string{"expectimax:depth=1"}
	dir := t.TempDir()
	run := func(name string, workers int) *Result {
		t.Helper()
		return vectors.Must(Run(context.Background(), Options{Catalog: games, World: w, Recipe: r, Seed: 1, Workers: workers, Dir: filepath.Join(dir, name), Log: io.Discard, Quiet: true}))
	}
	o := run("first", 1)
	if len(o.Trials) != 3 || o.Trials[0].Match != nil || o.Trials[1].Match == nil || o.Trials[2].Match == nil {
		t.Fatalf("trials %+v", o.Trials)
	}
	best := 0
	for k, trial := range o.Trials {
		if k > 0 && trial.Best != (lead(trial.Match) > 0) {
			t.Errorf("trial %d: best: %v after %s", k+1, trial.Best, trial.Match.Sentence)
		}
		if trial.Best {
			best = k
		}
	}
	if got := o.Options.Recipe.Learner(); got != o.Trials[best].Learner {
		t.Errorf("learned by %s, want the winner's %s", got, o.Trials[best].Learner)
	}
	read := func(path string) []byte {
		return vectors.Must(os.ReadFile(filepath.Join(dir, path)))
	}
	if !bytes.Equal(read("first/model.json"), read(fmt.Sprintf("first/trial-%d/model.json", best+1))) {
		t.Error("the run's model is not the winner's")
	}
	c := o.Contests[0]
	if c.A != "learned" || c.B != "handwritten" || c.Result.Conclusion != arena.BetterA {
		t.Errorf("learned against hand-written: %s", c.Result.Sentence)
	}
	if !bytes.Contains(read("first/report.html"), []byte("Which learner")) {
		t.Error("the report does not tell of the tournament")
	}

	run("second", 2)
	vectors.Check(os.Remove(filepath.Join(dir, "second/match.json")))
	vectors.Check(os.RemoveAll(filepath.Join(dir, "second/trial-3")))
	run("second", 1)
	for _, name := range []string{"model.json", "match.json", "config.json"} {
		if !bytes.Equal(read("first/"+name), read("second/"+name)) {
			t.Errorf("%s of the second run is another", name)
		}
	}
}

// TestTrials checks that a game without a recipe has a tournament, and that others have none. If
// learning while playing is impossible, there must be rounds of regression and no trials.
func TestTrials(t *testing.T) {
	games, w := own(t)
	if r := w.Recipe(); len(r.Trials) != 5 || len(r.Trials[0]) != 0 {
		t.Errorf("trials %+v: want five, regression first", r.Trials)
	}
	hostile := vectors.Must(games.World("pig+adversary"))
	if r := hostile.Recipe(); len(r.Trials) != 0 || r.Rounds == 0 {
		t.Errorf("with an adversary: %+v: want regression", r)
	}
	for _, e := range catalog.All() {
		if e.Name == "pig" {
			continue // the game returned by own
		}
		w := vectors.Must(games.World(e.Name))
		if r := w.Recipe(); len(r.Trials) > 0 {
			t.Errorf("%s: a tournament, want its own recipe", e.Name)
		}
	}
}

// TestStarts checks that of a stage's starts, the one that wins the matches between them is kept,
// that all starts learn different weights, and that no start leaves a checkpoint.
func TestStarts(t *testing.T) {
	c := trainingRun(t, t.TempDir(), 1)
	c.Recipe.Training = []features.Training{{Episodes: 60, Lambda: 0.7, Starts: 3}, {Episodes: 100, Lambda: 0.7}}
	o := vectors.Must(Run(context.Background(), c))
	starts := o.Stages[0].Starts
	if len(starts) != 3 || o.Stages[0].Episodes != 180 || len(o.Stages[1].Starts) != 0 {
		t.Fatalf("stages %+v", o.Stages)
	}
	seen, best := map[string]bool{}, 0
	for k, s := range starts {
		data := vectors.Must(os.ReadFile(s.Model))
		if seen[string(data)] {
			t.Errorf("start %d learned what another did", k+1)
		}
		seen[string(data)] = true
		if s.Best {
			best = k
		}
		if k > 0 && s.Best != (lead(s.Match) > 0) {
			t.Errorf("start %d: best: %v after %s", k+1, s.Best, s.Match.Sentence)
		}
	}
	c.pace = &pace{}
	found := vectors.Must(c.stage(context.Background(), 0, nil))
	want := vectors.Must(c.finished(filepath.Dir(starts[best].Model)))
	if fmt.Sprint(found.model.Weights) != fmt.Sprint(want.model.Weights) {
		t.Errorf("start %d won, and another goes on", best+1)
	}
	if left, _ := filepath.Glob(filepath.Join(c.Dir, "stage-*", "checkpoint")); len(left) > 0 {
		t.Errorf("%v: want no checkpoints of finished stages", left)
	}
	if left, _ := filepath.Glob(filepath.Join(c.Dir, "stage-*", "start-*", "checkpoint")); len(left) > 0 {
		t.Errorf("%v: want no checkpoints of finished starts", left)
	}
}

// TestLead checks that lead has the sign of the match's result and is 0 if the players are even.
func TestLead(t *testing.T) {
	for _, c := range []struct {
		r    arena.Result
		want int
	}{
		{arena.Result{Measure: arena.Wins, Points: stats.Estimate{Value: 0.49}, Difference: stats.Estimate{Value: 3}}, -1},
		{arena.Result{Measure: arena.Wins, Points: stats.Estimate{Value: 0.51}, Difference: stats.Estimate{Value: -3}}, 1},
		{arena.Result{Measure: arena.Wins, Points: stats.Estimate{Value: 0.5}, Difference: stats.Estimate{Value: -3}}, 0},
		{arena.Result{Measure: arena.Utility, Points: stats.Estimate{Value: 0.9}, Difference: stats.Estimate{Value: -0.1}}, -1},
		{arena.Result{Measure: arena.Utility, Points: stats.Estimate{Value: 0.1}, Difference: stats.Estimate{Value: 0.1}}, 1},
		{arena.Result{Measure: arena.Utility, Points: stats.Estimate{Value: 0.9}, Difference: stats.Estimate{Value: 0}}, 0},
	} {
		if got := cmp.Compare(lead(&c.r), 0); got != c.want {
			t.Errorf("lead %v: %v, want %v", c.r.Score, got, c.want)
		}
	}
}
