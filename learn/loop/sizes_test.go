package loop

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// pointsRun is a small run of 2048 that fits sizes.
func pointsRun(t *testing.T, dir string, workers int) Options {
	t.Helper()
	w := vectors.Must(catalog.All().World("2048"))
	r := w.Recipe()
	r.Training = []features.Training{{Set: "2048/4x5", Episodes: 60, Alpha: 1, Lambda: 0.5, TC: true}}
	r.Sizes, r.Tests, r.Pairs, r.Planners, r.Twin = 30, 6, 3, []string{"expectimax:depth=1"}, "none"
	return Options{Catalog: catalog.All(), World: w, Recipe: r, Seed: 1, Workers: workers, Dir: dir, Log: io.Discard, Quiet: true}
}

// TestSizes: the model that ships is what training learned times the factor, but for the
// score so far; the factor lessens the error of games that it was not fitted to; and a run
// that failed before its sizes were fitted goes on to the same bytes.
func TestSizes(t *testing.T) {
	dir := t.TempDir()
	whole := pointsRun(t, filepath.Join(dir, "whole"), 1)
	o := vectors.Must(Run(context.Background(), whole))
	z := o.Sizes
	if z == nil || !z.Kept || z.Data.Episodes != 30 || z.Factor == 1 || !(z.Factor > 0) {
		t.Fatalf("sizes %+v", z)
	}
	if before, after := z.Before.Evaluations[0], z.After.Evaluations[0]; !(after.Squared.Value < before.Squared.Value) || z.Before.Rows != z.After.Rows || !z.After.ToCome {
		t.Errorf("the factor takes the error of the other half from %+v to %+v", before, after)
	}
	if z.Before.Episodes == 0 || z.Before.Episodes >= 30 {
		t.Errorf("examined on %d of the 30 games, want some and not all", z.Before.Episodes)
	}
	checkPlan(t, o)
	checkTimes(t, o, filepath.Join(whole.Dir, "stage-1", stageModel))
	notes := strings.Join(o.Learned.Provenance.Notes, "\n")
	page, err := os.ReadFile(filepath.Join(whole.Dir, "report.html"))
	if err != nil || !strings.Contains(notes, z.Text()) || !strings.Contains(string(page), "the model carries it") {
		t.Errorf("neither provenance nor page may keep the factor to themselves (%v): %s", err, notes)
	}
	if x := o.Test.Examination; !x.ToCome || len(x.Stages) != 5 || o.Test.R2 == *x.Evaluations[0].OutcomeR2 || !strings.Contains(string(page), "predicted minus realised") {
		t.Errorf("tested by %+v", x)
	}

	c := pointsRun(t, filepath.Join(dir, "stopped"), 2)
	vectors.Check(c.claim())
	obstacle := filepath.Join(c.Dir, "sizes")
	vectors.Check(os.WriteFile(obstacle, nil, 0o644))
	if _, err := Run(context.Background(), c); err == nil {
		t.Fatal("a run that has no folder for its sizes ended well")
	}
	if _, err := os.Stat(filepath.Join(c.Dir, "model.json")); err == nil {
		t.Error("a run that failed left a model without its sizes")
	}
	vectors.Check(os.Remove(obstacle))
	for range 2 { // the rest of it, and the finished run again
		o := vectors.Must(Run(context.Background(), c))
		checkPlan(t, o)
		for _, name := range []string{"model.json", "model.weights", "match.json", "config.json", "sizes/data/dataset.json"} {
			want := vectors.Must(os.ReadFile(filepath.Join(whole.Dir, name)))
			if got, err := os.ReadFile(filepath.Join(c.Dir, name)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s of the stopped run is another (%v)", name, err)
			}
		}
	}
}

// checkPlan checks that the plan of a finished run held neither more nor less than it did.
func checkPlan(t *testing.T, o *Result) {
	t.Helper()
	for k, work := range o.Options.pace.work {
		if work.left != 0 {
			t.Errorf("%d pieces of kind %d are left at the end", work.left, k)
		}
	}
}

// checkTimes checks that the run's model is the one at path times the factor, its score
// weighing 1.
func checkTimes(t *testing.T, o *Result, path string) {
	t.Helper()
	_, learned, err := o.Options.World.Model(path)
	if err != nil {
		t.Fatal(err)
	}
	_, ships, err := o.Options.World.Model(o.Model)
	if err != nil {
		t.Fatal(err)
	}
	if ships.Weights[0] != 1 {
		t.Errorf("the score weighs %v, want 1", ships.Weights[0])
	}
	some := 0
	for i, w := range learned.Table {
		if got, want := ships.Table[i], float32(float64(w)*o.Sizes.Factor); got != want {
			t.Fatalf("weight %d is %v, want %v times %v", i, got, w, o.Sizes.Factor)
		}
		if w != 0 {
			some++
		}
	}
	if some < 1000 {
		t.Errorf("%d weights were learned: the test tries nothing", some)
	}
}

// TestSizesThatLose: a factor that lessens no error is not kept, and the text says so.
func TestSizesThatLose(t *testing.T) {
	c := pointsRun(t, t.TempDir(), 1)
	c.Recipe.Training[0].Episodes, c.Recipe.Sizes = 10, 0
	o := vectors.Must(Run(context.Background(), c))
	if o.Sizes != nil || strings.Contains(strings.Join(o.Learned.Provenance.Notes, ""), "Sizes") {
		t.Errorf("a recipe without sizes has %+v", o.Sizes)
	}
	collected, err := o.Options.collected(o.Learned)
	if err != nil || len(collected) != 1 || collected[0] != 0 {
		t.Fatalf("collected %v, %v: want the score", collected, err)
	}
	z := &Sizes{Factor: -1, Data: o.Test.Data, Before: o.Test.Examination, After: o.Test.Examination}
	if z.lessens() || !strings.Contains(z.Text(), "which is no gain") {
		t.Errorf("the same error is less: %s", z.Text())
	}
}

// TestSizesOfOthers: where nothing is collected, or a link stands between the weighted
// sum and the value, there is no factor, nothing is reported, and R² is of the outcome.
func TestSizesOfOthers(t *testing.T) {
	c := trainingRun(t, t.TempDir(), 1)
	c.Recipe.Training[0].Episodes, c.Recipe.Training[1].Episodes, c.Recipe.Sizes = 20, 20, 20
	o := vectors.Must(Run(context.Background(), c))
	checkPlan(t, o)
	if _, err := os.Stat(filepath.Join(c.Dir, "sizes")); o.Sizes != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("sizes of tic-tac-toe: %+v (%v)", o.Sizes, err)
	}
	if x := o.Test.Examination; x == nil || x.ToCome || strings.Contains(string(o.Test.describe()), "still to come") || strings.Contains(string(o.Test.describe()), "would err less") != (o.Test.R2 < 0) {
		t.Errorf("%s", o.Test.describe())
	}
	p := pointsRun(t, t.TempDir(), 1)
	m := models.New("2048", "2048/4x5", nil)
	m.Link.Kind = models.Tanh
	if terms, err := p.collected(m); len(terms) != 0 || err != nil {
		t.Errorf("through a link %v are known, %v", terms, err)
	}
}
