package loop

import (
	"context"
	"io"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// pointsRun returns a small run of 2048.
func pointsRun(t *testing.T) Options {
	t.Helper()
	w := vectors.Must(catalog.All().World("2048"))
	r := w.Recipe()
	r.Training = []features.Training{{Set: "2048/4x5", Episodes: 10, Alpha: 1, Lambda: 0.5, TC: true}}
	r.Tests, r.Pairs, r.Planners, r.Twin = 6, 3, []string{"expectimax:depth=1"}, "none"
	return Options{Catalog: catalog.All(), World: w, Recipe: r, Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
}

// TestExamination checks that test games are evaluated by the remaining score in games with a
// score, and by the outcome in other games.
func TestExamination(t *testing.T) {
	points, outcomes := pointsRun(t), trainingRun(t, t.TempDir(), 1)
	outcomes.Recipe.Training[0].Episodes, outcomes.Recipe.Training[1].Episodes = 20, 20
	for _, c := range []Options{points, outcomes} {
		o := vectors.Must(Run(context.Background(), c))
		collects := c.World.Name == "2048"
		x, said := o.Test.Examination, string(o.Test.describe())
		if x == nil || x.ToCome != collects || len(x.Stages) != 5 || strings.Contains(said, "remaining score") != collects || strings.Contains(said, "would be more accurate") != (o.Test.R2 < 0) {
			t.Errorf("%s: %+v: %s", c.World.Spec, x, said)
		}
		terms, err := o.Options.collected(o.Learned)
		if err != nil || collects != (len(terms) == 1) {
			t.Errorf("%s: collected %v, %v", c.World.Spec, terms, err)
		}
	}
	m := models.New("2048", "2048/4x5", nil)
	m.Link.Kind = models.Tanh
	if terms, err := points.collected(m); len(terms) != 0 || err != nil {
		t.Errorf("through a link %v are known, %v", terms, err)
	}
}
