package fit

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/learn/validate"
	"plyfit/models"
	"plyfit/search"
	"plyfit/selfplay"
	"plyfit/study/report"
)

// played is a data set of games that an agent plays with itself.
func played(t *testing.T, w *catalog.World, agent string, episodes int, seed uint64) *datasets.Set {
	t.Helper()
	a, err := w.Agent(agent, catalog.AgentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	_, err = selfplay.Run(context.Background(), selfplay.Config{Game: w.Game, Agents: []search.Factory{a.Factory}, Episodes: episodes, Seed: seed, Openings: 4, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	data, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// named is a model of w.
func named(t *testing.T, w *catalog.World, name string) Named {
	t.Helper()
	set, m, err := w.Model(name)
	if err != nil {
		t.Fatal(err)
	}
	return Named{name, set, m}
}

// A model is asked what a fit asks it: at the same rows, in the same view.
func TestTestedRowsAreThoseOfAFit(t *testing.T) {
	for _, c := range []struct{ game, model, agent string }{
		{"connect4", "learned", "alphabeta:depth=1,ties=random"},
		{"connect4+slip=0.2", "handwritten", "expectimax:depth=1"},
		{"2048:size=3", "handwritten", "random"},
		{"pig:players=3,target=20", "handwritten", "random"},
	} {
		w := world(t, c.game)
		data := played(t, w, c.agent, 20, 5)
		got, err := Test(context.Background(), w, []*datasets.Set{data}, named(t, w, c.model), Testing{})
		if err != nil {
			t.Fatal(c.game, err)
		}
		_, m, err := w.Model(c.model)
		if err != nil {
			t.Fatal(err)
		}
		rows, _, err := Rows(context.Background(), w, data, Options{Set: m.Features, Leaves: m.Leaves})
		if err != nil {
			t.Fatal(err)
		}
		all, err := validate.Residuals(context.Background(), m, rows, validate.Reading{Link: m.Link, Lo: w.Base().Min, Hi: w.Base().Max}, func(*datasets.Sample) int { return 0 })
		if err != nil {
			t.Fatal(err)
		}
		e := got.Evaluations[0]
		if got.Rows != all[0].Rows || math.Abs(e.Squared.Value-all[0].Squared) > 1e-5*all[0].Squared || math.Abs(e.Bias.Value-all[0].Bias()) > 1e-4*(1+math.Abs(all[0].Bias())) {
			t.Errorf("%s: %d rows, %+v; a fit has %d, %+v", c.game, got.Rows, e, all[0].Rows, all[0])
		}
		if points := strings.HasPrefix(c.game, "2048"); got.ToCome != points || (e.OutcomeR2 != nil) != points {
			t.Errorf("%s: still to come %v", c.game, got.ToCome)
		}
		if len(got.Stages) < 2 || got.Stages[0].Error <= 0 {
			t.Errorf("%s: stages %+v", c.game, got.Stages)
		}
	}
}

// A model of afterstates and one of decisions are asked at the same records, each where
// it was made for, and what is known is the same for both.
func TestTestedLeaves(t *testing.T) {
	w := world(t, "2048")
	data := played(t, w, "expectimax:depth=1,eval=handwritten", 3, 5)
	_, m, err := w.Model("handwritten")
	if err != nil {
		t.Fatal(err)
	}
	if m.Leaves != models.Afterstate {
		t.Fatalf("the hand-written model is of %s", m.Leaves)
	}
	m.Leaves = models.Decision
	before := filepath.Join(t.TempDir(), "before.json")
	if err := m.File().Save(before); err != nil {
		t.Fatal(err)
	}
	got, err := Test(context.Background(), w, []*datasets.Set{data}, named(t, w, before), Testing{})
	if err != nil {
		t.Fatal(err)
	}
	hand, err := Test(context.Background(), w, []*datasets.Set{data}, named(t, w, "handwritten"), Testing{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Rows != hand.Rows || len(got.Evaluations) != 4 || len(hand.Evaluations) != 3 || got.Evaluations[1].Less.Alike {
		t.Errorf("%d rows and %+v; alone %d and %+v", got.Rows, got.Evaluations, hand.Rows, hand.Evaluations)
	}
	if a, b := got.Evaluations[1].Squared.Value, hand.Evaluations[0].Squared.Value; a != b {
		t.Errorf("the hand-written model errs by %v beside another, %v alone", a, b)
	}
	// After a move more is collected: what zero leaves open is less.
	if a, b := got.Evaluations[2].Bias.Value, hand.Evaluations[1].Bias.Value; !(a < b && b < 0) {
		t.Errorf("bias of zero %v before the move, %v after", a, b)
	}
	var page report.Page
	got.Describe(&page)
	if text := string(page.Blocks[0].(report.Text)); !strings.Contains(text, "handwritten is asked after the recorded move") {
		t.Error(text)
	}
}

// The same games in two data sets are evidence once, and a model beside itself is alike.
func TestTestedTwice(t *testing.T) {
	w := world(t, "connect4")
	data := played(t, w, "alphabeta:depth=1,ties=random", 40, 5)
	again := filepath.Join(t.TempDir(), "again")
	if err := os.CopyFS(again, os.DirFS(data.Dir)); err != nil {
		t.Fatal(err)
	}
	more, err := datasets.Open(again)
	if err != nil {
		t.Fatal(err)
	}
	learned := named(t, w, "learned")
	once, err := Test(context.Background(), w, []*datasets.Set{data}, learned, Testing{Against: []Named{learned}})
	if err != nil {
		t.Fatal(err)
	}
	twice, err := Test(context.Background(), w, []*datasets.Set{data, more}, learned, Testing{Against: []Named{learned}})
	if err != nil {
		t.Fatal(err)
	}
	a, b := &once.Evaluations[0], &twice.Evaluations[0]
	if once.Groups != twice.Groups || math.Abs(*a.Squared.High-*b.Squared.High) > 1e-9 {
		t.Errorf("once %d groups to %v, twice %d to %v", once.Groups, *a.Squared.High, twice.Groups, *b.Squared.High)
	}
	if d := once.Evaluations[1].Less; !d.Alike || d.Squared.Value != 0 || d.CrossEntropy.Value != 0 {
		t.Errorf("a model beside itself: %+v", d)
	}
	if once.FittedTo != nil {
		t.Errorf("fitted to %v", once.FittedTo)
	}
}

// Games that the model was fitted to are left out where their data set is at hand, under
// any name and in any order, and so are those that meet them.
func TestTestedWithoutWhatWasFitted(t *testing.T) {
	w := world(t, "connect4")
	data := played(t, w, "alphabeta:depth=1,ties=random", 40, 5)
	other := played(t, w, "alphabeta:depth=1,ties=random", 40, 6)
	model := named(t, w, "handwritten")
	test := func(fitted *datasets.Set, sets ...*datasets.Set) *Tested {
		t.Helper()
		x, err := Test(context.Background(), w, sets, model, Testing{FittedTo: fitted})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	all, alone := test(nil, data, other), test(nil, other)
	rest := test(data, data, other)
	if all.Known != 0 || rest.Known < 40 || rest.Known > 60 || rest.Episodes+rest.Replays != 80-rest.Known {
		t.Errorf("%d and %d known; %d games and %d replays left", all.Known, rest.Known, rest.Episodes, rest.Replays)
	}
	if strict := test(data, other); strict.Known != rest.Known-40 || strict.Rows != rest.Rows || strict.Rows > alone.Rows {
		t.Errorf("the other games: %d known, %d rows; beside the fitted ones %d and %d", strict.Known, strict.Rows, rest.Known, rest.Rows)
	}
	if _, err := Test(context.Background(), w, []*datasets.Set{data}, model, Testing{FittedTo: data}); err == nil || !strings.Contains(err.Error(), "no position has the label outcome") {
		t.Errorf("nothing left: %v", err)
	}
	model.Model.Provenance = &models.Provenance{Data: data.Digest}
	if _, err := Test(context.Background(), w, []*datasets.Set{other}, model, Testing{FittedTo: other}); err == nil || !strings.Contains(err.Error(), "was fitted to another data set: want the one with the digest "+data.Digest) {
		t.Errorf("another data set: %v", err)
	}
	if x := test(nil, other, data); len(x.FittedTo["handwritten"]) != 1 || x.FittedTo["handwritten"][0] != data.Dir {
		t.Errorf("fitted to %v", x.FittedTo)
	}
}
