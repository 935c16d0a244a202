package loop_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/vectors"
	"plyfit/learn/loop"
	"plyfit/models"
)

// pigRun is what a run left that learned tables of pig, and an empty folder to register
// them in.
func pigRun(t *testing.T) (o *loop.Result, dir string) {
	t.Helper()
	w := vectors.Must(catalog.All().World("pig"))
	set := vectors.Must(w.Set("pig/tiles"))
	m := models.New(w.Name, set.Name(), set.Blocks())
	m.Fingerprint = features.Fingerprint(set, w.Game)
	for i := range m.Table {
		m.Table[i] = float32(i % 7)
	}
	o = &loop.Result{Options: loop.Options{World: w, Recipe: w.Recipe()}, Learned: m, Model: filepath.Join(t.TempDir(), "model.json")}
	vectors.Check(m.File().Save(o.Model))
	dir = filepath.Join(t.TempDir(), loop.Learned)
	vectors.Check(os.Mkdir(dir, 0o755))
	return o, dir
}

// TestRegisterTable: model and table arrive as the run left them, over a table that a
// killed run left without its model, and over what was registered before.
func TestRegisterTable(t *testing.T) {
	o, dir := pigRun(t)
	for range 2 {
		vectors.Check(os.WriteFile(filepath.Join(dir, "pig.weights"), []byte("torn"), 0o644))
		path, err := o.Register(dir)
		if err != nil || path != filepath.Join(dir, "pig.json") {
			t.Fatalf("registered as %s, %v", path, err)
		}
		for of, at := range map[string]string{o.Model: path, strings.TrimSuffix(o.Model, "json") + "weights": filepath.Join(dir, "pig.weights")} {
			want := vectors.Must(os.ReadFile(of))
			if got, err := os.ReadFile(at); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s has %d bytes, %v, want the %d of the run's", filepath.Base(at), len(got), err, len(want))
			}
		}
		if _, err := models.Load(path); err != nil {
			t.Error(err)
		}
	}
}

// TestRegisterRefuses: one line says why, and the folder stays as it is.
func TestRegisterRefuses(t *testing.T) {
	o, dir := pigRun(t)
	path := filepath.Join(dir, "pig.json")
	short := loop.Contest{Game: o.Options.World.Spec, Planner: "expectimax:depth=1", A: "learned", B: "handwritten", Pairs: 9}
	short.Result.Conclusion = arena.BetterB
	model := func(change func(*models.File)) string {
		f := o.Learned.File()
		f.Table, f.TableBlocks = nil, nil
		change(f)
		data := vectors.Must(f.Bytes())
		return string(data)
	}
	for _, c := range []struct {
		name, there string
		contests    []loop.Contest
		want        string
	}{
		{name: "another game", there: model(func(f *models.File) { f.Game = "chess" }), want: `is of game "chess"`},
		{name: "another set", there: model(func(f *models.File) { f.Fingerprint = strings.Repeat("0", 16) }), want: "is of other features, pig/tiles (0000000000000000)"},
		{name: "other values", there: model(func(f *models.File) { f.Fingerprint += "0" }), want: "is of other features"},
		{name: "no model", there: "{}", want: "want"},
		{name: "falls short", contests: []loop.Contest{short}, want: "not written: Under expectimax:depth=1 the learned evaluation falls short of the hand-written evaluation"},
	} {
		t.Run(c.name, func(t *testing.T) {
			os.Remove(path)
			if c.there != "" {
				vectors.Check(os.WriteFile(path, []byte(c.there), 0o644))
			}
			o.Contests = c.contests
			if _, err := o.Register(dir); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want one line with %q", err, c.want)
			}
			if got, _ := os.ReadFile(path); string(got) != c.there {
				t.Errorf("the file holds %q now", got)
			}
			if files, err := os.ReadDir(dir); err != nil || len(files) > 1 {
				t.Errorf("the folder holds %v, %v", files, err)
			}
		})
	}
}

// TestRegisterTwin: what an evaluation loses in the game's twin, or against zero where
// there is a hand-written one, keeps it from nothing.
func TestRegisterTwin(t *testing.T) {
	o, dir := pigRun(t)
	for _, c := range []loop.Contest{
		{Game: o.Options.World.Spec + "+adversary", Planner: "expectimax:depth=1", A: "learned", B: "handwritten"},
		{Game: o.Options.World.Spec, Planner: "expectimax:depth=1", A: "learned", B: "zero"},
		{Game: o.Options.World.Spec, Planner: "expectimax:depth=1", A: "handwritten", B: "zero"},
	} {
		c.Result.Conclusion = arena.BetterB
		o.Contests = append(o.Contests, c)
	}
	if _, err := o.Register(dir); err != nil {
		t.Error(err)
	}
}
