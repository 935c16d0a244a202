package loop

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/vectors"
	"plyfit/learn/online"
	"plyfit/models"
)

// between returns a match between a and b with the given score and interval half-width.
func between(spec, planner, a, b string, value, half float64) Contest {
	c := Contest{World: vectors.Must(catalog.All().World(spec)), Game: spec, Planner: planner, A: a, B: b, Pairs: 100, Result: arena.Result{Mode: arena.Duel, Measure: arena.Wins, Pairs: 100, Conclusion: arena.Undecided}}
	c.Result.Score = stats.Estimate{Value: value, Low: value - half, High: value + half, Known: true, Bounded: true}
	c.Result.Difference = c.Result.Score
	switch {
	case value-half > 0.5:
		c.Result.Conclusion = arena.BetterA
	case value+half < 0.5:
		c.Result.Conclusion = arena.BetterB
	}
	return c
}

// TestFindings checks that the sentences mention zero and the twin only if this adds information.
// Two planners that make the same moves must have neither a sentence nor a row.
func TestFindings(t *testing.T) {
	w := vectors.Must(catalog.All().World("othello"))
	const p = "alphabeta:depth=1"
	three := func(direct, learned, written float64) []Contest {
		return []Contest{
			between("othello", p, "learned", "handwritten", direct, 0.02),
			between("othello", p, "handwritten", "zero", written, 0.02),
			between("othello", p, "learned", "zero", learned, 0.02),
		}
	}
	same := between("othello", p, "learned", "handwritten", 0.5, 0.02)
	same.Result.Conclusion = arena.Same
	twins := between("othello+slip=0.2", "", "expectimax:depth=1", p, 0.5, 0.02)
	twins.Result.Conclusion = arena.Same
	for name, c := range map[string]struct {
		contests []Contest
		want     []string
	}{
		"all is well":     {three(0.7, 0.95, 0.9), []string{"Under alphabeta:depth=1 the learned evaluation beats the hand-written evaluation: 70.0% ± 2.0."}},
		"not transitive":  {three(0.7, 0.8, 0.95), []string{"beats", "The three results are not transitive: learned has 70.0% ± 2.0 against hand-written, 80.0% ± 2.0 against zero; hand-written 95.0% ± 2.0 against zero."}},
		"level with zero": {three(0.7, 0.51, 0.3), []string{"beats", "But it does not beat the zero evaluation: "}},
		"below zero":      {three(0.7, 0.4, 0.3), []string{"beats", "But it is weaker than the zero evaluation: "}},
		"same moves":      {[]Contest{same}, []string{"Under alphabeta:depth=1 the learned evaluation makes the same moves as the hand-written evaluation in all 100 pairs, so they cannot be compared."}},
		"twin":            {[]Contest{between("othello+slip=0.2", p, "learned", "handwritten", 0.6, 0.02), twins}, []string{"In othello+slip=0.2, under alphabeta:depth=1 the learned evaluation beats the hand-written evaluation: 60.0% ± 2.0."}},
		"planners":        {[]Contest{between("othello+slip=0.2", "", "expectimax:depth=2", p, 0.45, 0.1)}, []string{"In othello+slip=0.2 with the learned evaluation, expectimax:depth=2 shows no significant difference from alphabeta:depth=1: 0.45 ± 0.10 more per game."}},
	} {
		o := &Result{Options: Options{World: w}, Contests: c.contests}
		said := o.findings()
		if len(said) != 1 { // the finding about zero belongs to the sentence before it
			t.Errorf("%s: %q", name, said)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(said[0], want) {
				t.Errorf("%s: %q, want %q", name, said[0], want)
			}
		}
	}
	deep := between("othello", "alphabeta:depth=2", "learned", "handwritten", 0.4, 0.02)
	o := &Result{Options: Options{World: w}, Contests: append(three(0.7, 0.95, 0.9), deep)}
	if said, table := o.Verdict(), o.Table(); !strings.HasPrefix(said, "Under alphabeta:depth=1 the learned evaluation beats ") || !strings.HasSuffix(said, " The conclusion differs under alphabeta:depth=2.") || len(table.Rows) != 2 {
		t.Errorf("%q over a table of %d rows", said, len(table.Rows))
	}
	// Identical moves, or games that all end with a fault, are inconclusive, so they must not be
	// listed as a different conclusion.
	same.Planner = "alphabeta:depth=3"
	void := between("othello", "alphabeta:depth=4", "learned", "handwritten", 0.5, 0.02)
	void.Result.Conclusion = arena.Nothing
	o.Contests = append([]Contest{same, void}, three(0.7, 0.95, 0.9)...)
	if said, cell := o.Verdict(), o.Table().Rows[0][3]; !strings.HasPrefix(said, "Under alphabeta:depth=1 the learned evaluation beats ") || !strings.HasSuffix(said, ". Under alphabeta:depth=3 both evaluations make the same moves.") || strings.Contains(said, "differs") || cell != "same moves" {
		t.Errorf("%q over %q", said, cell)
	}
	if len(plannerTable([]Contest{twins}).Rows) > 0 {
		t.Error("planners that are one player have a row")
	}
}

// TestExploits checks that in a small two-player game with hidden information, evaluations are
// ranked by their loss to the worst opponent, which is exact for a softmax. A match does not decide
// in this case, because its winner may lose most to the worst opponent.
func TestExploits(t *testing.T) {
	w := vectors.Must(catalog.All().World("kuhn"))
	c := Options{World: w, Recipe: w.Recipe(), Seed: 1, Workers: 2, Log: io.Discard}
	c.Recipe.Planners = []string{"softmax", "pimc:samples=1"}
	found := vectors.Must(c.exploits(context.Background(), "learned"))
	if len(found) != 6 || found[0].compare(&found[1]) != -1 || found[1].compare(&found[0]) != 1 || found[0].compare(&found[0]) != 0 {
		t.Fatalf("%+v", found)
	}
	if found[0].Lost.Bounded || found[0].Lost.Value > 0.05 || math.Abs(found[2].Lost.Value-11./24) > 1e-12 || !found[3].Lost.Bounded {
		t.Errorf("%+v: want the learned below 0.05 and zero 11/24, both without an interval, and one where a search is sampled", found)
	}
	o := &Result{Options: c, Exploits: found, Contests: []Contest{between("kuhn", "softmax", "learned", "handwritten", 0.4, 0.02)}}
	said := o.findings()
	if len(said) != 3 || !strings.HasPrefix(said[0], "Under softmax the learned evaluation loses 0.0") || !strings.Contains(said[0], "less than the hand-written evaluation (") {
		t.Errorf("%q", said)
	}
	if last := said[len(said)-1]; !strings.HasPrefix(last, "Head to head") || strings.Contains(last, "beats") {
		t.Errorf("%q: want what one took from the other, and no judgement", last)
	}
	if table := exploitTable(found); len(table.Rows) != 2 {
		t.Errorf("%+v", table)
	}
	for _, spec := range []string{"doudizhu", "tictactoe"} {
		c.World = vectors.Must(catalog.All().World(spec))
		if found, err := c.exploits(context.Background(), "zero"); err != nil || found != nil {
			t.Errorf("%s: %v, %v", spec, found, err)
		}
	}
}

// guarded returns a tic-tac-toe run with one training stage, which ends with a match against its
// middle weights.
func guarded(t *testing.T, stage features.Training) Options {
	t.Helper()
	c := trainingRun(t, t.TempDir(), 1)
	c.Recipe.Training = []features.Training{stage}
	c.Recipe.Pairs, c.Recipe.Openings = 60, 2
	return c
}

// TestGuard checks a stage whose steps are so large that its final model is worse than its middle
// model, which must then be kept. A stage with small steps must keep the final one.
func TestGuard(t *testing.T) {
	const games = 4800
	for _, c := range []struct {
		alpha  float64
		middle bool
	}{{0.1, false}, {1.4, true}} {
		run := guarded(t, features.Training{Episodes: games, Lambda: 0.7, Alpha: c.alpha, Link: models.Identity, Epsilon: 0.3})
		o := vectors.Must(Run(context.Background(), run))
		s := &o.Stages[0]
		if s.Guard == nil || s.Guard.Pairs != 60 || s.Middle != c.middle || s.Middle != (s.Guard.Conclusion == arena.BetterB) {
			t.Fatalf("alpha %v: middle %v after %+v", c.alpha, s.Middle, s.Guard)
		}
		said := strings.Contains(strings.Join(o.findings(), " "), "significantly worse than the weights after half of its games")
		page := vectors.Must(os.ReadFile(filepath.Join(run.Dir, "report.html")))
		if said != c.middle || !strings.Contains(string(page), "half of its games") {
			t.Errorf("alpha %v: said: %v, want %v", c.alpha, said, c.middle)
		}
		want := games
		if c.middle {
			want = games / 2
		}
		if o.Learned.Provenance.Episodes != want {
			t.Errorf("alpha %v: a model of %d games ships, want %d", c.alpha, o.Learned.Provenance.Episodes, want)
		}
		for _, name := range []string{middleModel, online.CheckpointFile} {
			if _, err := os.Stat(filepath.Join(run.Dir, "stage-1", name)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("stage-1/%s is left (%v)", name, err)
			}
		}
	}
}

// TestIntervalsOfCells checks that tables print both ends of an interval that reaches the end of
// the scale, where half the width would be misleading, and no interval if no pair made a
// difference.
func TestIntervalsOfCells(t *testing.T) {
	known := func(value, low, high float64) stats.Estimate {
		return stats.Estimate{Value: value, Known: true, Low: low, High: high, Bounded: true}
	}
	for _, c := range []struct {
		score         stats.Estimate
		share, points string
	}{
		{known(1, 0.735, 1), "100.0% (73.5 to 100.0)", "1.00 (0.73 to 1.00)"},
		{known(0.52, 0.47, 0.57), "52.0% ± 5.0", "0.520 ± 0.050"},
		{stats.Estimate{Known: true, Alike: true, Lacks: "all 8 pairs alike"}, "", "0 (all 8 pairs alike)"},
	} {
		if got := shareText(&arena.Result{Measure: arena.Wins, Score: c.score}); c.share != "" && got != c.share {
			t.Errorf("share: %q, want %q", got, c.share)
		}
		if got := plusMinus(c.score); got != c.points {
			t.Errorf("utility: %q, want %q", got, c.points)
		}
	}
}

// TestTablesTellOpenings checks that tables show the number of openings next to the number of
// pairs, unless all games start from one position.
func TestTablesTellOpenings(t *testing.T) {
	c := Contest{World: vectors.Must(catalog.All().World("othello")), Game: "othello", Planner: "p", A: "handwritten", B: "zero", Pairs: 40,
		Result: arena.Result{Mode: arena.Duel, Measure: arena.Wins, Population: arena.Sampled, Openings: 38}}
	want := "Percentage of the points with a 95% interval, from 40 pairs of games each from 38 openings; 50% is even."
	if got := EvaluationTables([]Contest{c})[0].Caption; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	c.Result.Population, c.Result.Openings = arena.OneStart, 1
	want = "Percentage of the points with a 95% interval, from 40 pairs of games each; 50% is even."
	if got := EvaluationTables([]Contest{c})[0].Caption; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
