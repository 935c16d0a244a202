package catalog

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/features/tuples"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// boardless lists the games without a board of cells: card games, trees, and games whose board is
// not yet available.
var boardless = []string{"kuhn", "leduc", "tree", "chess", "pacman", "minesweeper"}

// TestTablesMakeThemselves checks that all games with a board of cells have the automatic set of
// tables, which must meet the requirements for feature sets and be trainable. The games without a
// board must be the known ones.
func TestTablesMakeThemselves(t *testing.T) {
	for _, e := range All() {
		w := vectors.Must(All().World(e.Name))
		s, err := w.Set(tuples.Name)
		if (err != nil) != slices.Contains(boardless, e.Name) {
			t.Errorf("%s: %v", e.Name, err)
		}
		if (w.Tables() != nil) != (err == nil) {
			t.Errorf("%s: learned by %v, and the set is %v", e.Name, w.Tables(), err)
		}
		if err == nil {
			t.Run(e.Name, func(t *testing.T) { featuretest.Law(t, w.Game, s) })
		}
		if joined, err := w.Set(tuples.JoinedName); err == nil {
			t.Run(e.Name+"/joined", func(t *testing.T) { featuretest.Law(t, w.Game, joined) })
		} else if !slices.Contains(boardless, e.Name) {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
}

// TestTablesOfAVariant checks that a model with tables can be written, read and evaluated in the
// variant for which it was made, and that a variant with a different board rejects it with a
// one-line error.
func TestTablesOfAVariant(t *testing.T) {
	world := func(spec string) *World {
		return vectors.Must(All().World(spec))
	}
	small := world("2048:size=2")
	set := vectors.Must(small.Set(tuples.Name))
	m := someModel(small, set)
	path := filepath.Join(t.TempDir(), "model.json")
	vectors.Check(m.File().Save(path))
	e := vectors.Must(small.Evaluation(path))
	s := small.New()
	for !strings.HasSuffix(s.String(), "player 0") {
		s.Play(s.Moves(nil)[0])
	}
	want := features.NewReference(small.Game, set, m).Evaluate(s, 0)
	if got := e.New().Evaluate(s, 0); got < want-1e-9 || got > want+1e-9 {
		t.Errorf("%v read, %v written", got, want)
	}
	f := vectors.Must(models.Load(path))
	for _, other := range []string{"2048", "2048:size=3", "tictactoe"} {
		if _, _, err := world(other).Bind(path, f); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("in %s: %v", other, err)
		}
	}
}

// TestRulesAlone checks that a game without feature sets is learned with tables. Tables must also
// be among the trials of variants for which the recipe is unsuitable, and of games without a
// selected method.
func TestRulesAlone(t *testing.T) {
	plain := All()
	for i := range plain {
		if plain[i].Name == "tictactoe" {
			plain[i].Profile = features.Profile{}
		}
	}
	learns := func(c Catalog, spec string) (training, trials bool) {
		w := vectors.Must(c.World(spec))
		r := w.Recipe()
		own := func(stages []features.Training) bool {
			return slices.ContainsFunc(stages, func(s features.Training) bool { return s.Set == tuples.Name })
		}
		return own(r.Training), slices.ContainsFunc(r.Trials, own)
	}
	for _, c := range []struct {
		games            Catalog
		spec             string
		training, trials bool
	}{
		{plain, "tictactoe", true, false}, {All(), "tictactoe", false, false}, {All(), "connect4", false, false},
		{All(), "connect4:columns=5", false, true}, {All(), "2048:size=3", false, true}, {All(), "connect4:columns=5+slip=0.1", false, true},
		{All(), "2048:size=3+adversary", false, false}, {All(), "kuhn", false, false},
	} {
		if training, trials := learns(c.games, c.spec); training != c.training || trials != c.trials {
			t.Errorf("%s: in the training %v, among the trials %v: want %v, %v", c.spec, training, trials, c.training, c.trials)
		}
	}
	w := vectors.Must(All().World("othello"))
	r, err := w.Tournament()
	if n := len(r.Trials); err != nil || n < 2 || r.Trials[n-2][0].Set != tuples.Name || r.Trials[n-1][0].Set != tuples.JoinedName {
		t.Errorf("a tournament for othello: %+v, %v", r.Trials, err)
	}
}

// someModel returns a model with nonzero weights and a logistic link.
func someModel(w *World, set features.Set) *models.Linear {
	m := models.New(w.Name, set.Name(), set.Blocks())
	for i := range m.Weights {
		m.Weights[i] = 0.1 * math.Sin(float64(i+1))
	}
	for i := range m.Table {
		m.Table[i] = float32(0.1 * math.Sin(float64(i+1)))
	}
	m.Bias, m.Link = 0.2, models.Link{Kind: models.Logistic, Scale: 0.5}
	return m
}
