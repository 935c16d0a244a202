package train

import (
	"context"
	"slices"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/features/tuples"
	"plyfit/game"
	"plyfit/internal/settings"
	"plyfit/internal/vectors"
	"plyfit/learn/online"
	"plyfit/models"
)

// counter is a learner that does not play. The bias of its model is the number of episodes.
type counter struct {
	model *models.Linear
	tally online.Tally
}

func (c *counter) Advance(_ context.Context, from, to int) error {
	c.tally.Episodes = to
	c.model.Bias = float64(to)
	return nil
}
func (c *counter) Model() *models.Linear          { return c.model }
func (c *counter) Tally() online.Tally            { return c.tally }
func (c *counter) Persist(*online.Snapshot) error { return nil }

// TestNewMethod checks that a new online learner needs only a method and an item in methods.
func TestNewMethod(t *testing.T) {
	count := &method{Name: "count", Own: features.Training{Batch: 10}, Learner: func(p *plan) (online.Learner, error) {
		p.Chunk = p.Batch
		p.Depends("counts", "episodes")
		return &counter{model: p.Model}, nil
	}}
	defer func(before []*method) { methods = before }(methods)
	methods = append(methods[:len(methods):len(methods)], count)
	w := vectors.Must(catalog.All().World("tictactoe"))
	o := vectors.Must(Defaults(w, features.Training{Method: "count", Episodes: 70}))
	o.Curve.Pairs, o.Dir = 0, t.TempDir()
	r := vectors.Must(Run(context.Background(), w, o))
	if r.Model.Bias != 70 || r.Model.Provenance.Method != "count" || r.Report.Episodes != 70 {
		t.Errorf("bias %v by %s after %d episodes", r.Model.Bias, r.Model.Provenance.Method, r.Report.Episodes)
	}
	for _, want := range []online.RecipeItem{{Key: "counts", Value: "episodes"}, {Key: "batch", Value: "10"}} {
		if !slices.Contains(r.Recipe, want) {
			t.Errorf("the recipe %v lacks %v", r.Recipe, want)
		}
	}
	o.Population = 9
	if _, err := Run(context.Background(), w, o); err == nil || err.Error() != "population: applies only to method evolution, not to count" {
		t.Errorf("population: %v", err)
	}
}

// TestSettings checks that each setting has a unique name and a description, names existing
// methods, and has a valid default. The error for a setting that a method does not read must be a
// single line that ends with the method's name.
func TestSettings(t *testing.T) {
	var o Options
	names := map[string]bool{}
	for _, s := range settings.Of(&o) {
		if names[s.Name] || strings.HasSuffix(s.Help(), "] ") || s.Help() == "" {
			t.Errorf("%s: twice, or without help", s.Name)
		}
		names[s.Name] = true
		for _, name := range append(s.Readers(), s.Others()...) {
			if !slices.Contains(Names(), name) {
				t.Errorf("%s: no method %s", s.Name, name)
			}
		}
		for _, m := range methods {
			if text := s.Unread(m.Name).Error(); !s.ReadBy(m.Name) && (strings.Contains(text, "\n") || !strings.HasSuffix(text, " "+m.Name)) {
				t.Errorf("%s: refused by %q", s.Name, text)
			}
		}
	}
	settings.Fill(&o, "")
	if err := settings.Check(&o, ""); err != nil {
		t.Error(err)
	}
}

// TestUnread checks that every method rejects every setting that it does not read.
func TestUnread(t *testing.T) {
	w := vectors.Must(catalog.All().World("tictactoe"))
	refused := 0
	for _, m := range methods {
		for i, s := range settings.Of(&Options{}) {
			if s.ReadBy(m.Name) {
				continue
			}
			o := vectors.Must(Defaults(w, features.Training{Method: m.Name}))
			var err error
			for _, text := range []string{"true", "wins", "1", "4", "logistic"} { // values for the different types of settings
				if err = settings.Of(&o)[i].Set(text); err == nil {
					break
				}
			}
			if err != nil {
				t.Fatal(s.Name, err)
			}
			if _, _, err := prepare(w, &o); err == nil || err.Error() != s.Unread(m.Name).Error() {
				t.Errorf("%s of %s: %v", s.Name, m.Name, err)
			}
			refused++
		}
	}
	if refused < 45 {
		t.Errorf("%d settings were refused: want at least 45", refused)
	}
}

// TestTablesLearn checks that, with default settings, the generated tables beat zero weights after
// a few games on seven boards, and on two of them when combined with the game's own terms.
func TestTablesLearn(t *testing.T) {
	tables, joined := (*catalog.World).Tables, (*catalog.World).Joined
	for _, c := range []struct {
		testGame
		games  int
		stages func(*catalog.World) []features.Training
		set    string
	}{
		{testGame{spec: "2048:size=3", pairs: 30}, 1000, tables, tuples.Name},
		{testGame{spec: "connect4:columns=5", plies: 4, pairs: 60}, 3000, tables, tuples.Name},
		{testGame{spec: "tictactoe", plies: 2, pairs: 60}, 3000, tables, tuples.Name},
		{testGame{spec: "checkers", plies: 4, pairs: 30}, 600, tables, tuples.Name},
		{testGame{spec: "othello", plies: 4, pairs: 30}, 400, tables, tuples.Name},
		{testGame{spec: "backgammon", pairs: 30}, 300, tables, tuples.Name},
		{testGame{spec: "pig:target=50", pairs: 100}, 3000, tables, tuples.Name},
		{testGame{spec: "connect4:columns=5", plies: 4, pairs: 60}, 1000, joined, tuples.JoinedName},
		{testGame{spec: "2048:size=3", pairs: 30}, 500, joined, tuples.JoinedName},
	} {
		t.Run(c.spec+"/"+c.set, func(t *testing.T) {
			w := vectors.Must(catalog.All().World(c.spec))
			stages := c.stages(w)
			if len(stages) != 1 || stages[0].Set != c.set {
				t.Fatalf("stages %+v", stages)
			}
			o := vectors.Must(Defaults(w, stages[0]))
			o.Episodes, o.Seed = c.games, 7
			p, l, err := newLearner(w, o, nil)
			if err != nil {
				t.Fatal(err)
			}
			if r := c.strength(t, p, learned(t, p, l)); r.Conclusion != arena.BetterA {
				t.Errorf("after %d games: %s", c.games, r.Sentence)
			}
		})
	}
}

// TestOptimism checks that the initial tables have the same value in all positions, the value of
// Optimism.
func TestOptimism(t *testing.T) {
	w := vectors.Must(catalog.All().World("2048"))
	o := vectors.Must(Defaults(w, features.Training{Set: "2048/4x5", Optimism: 3200}))
	p := vectors.Must(newPlan(w, &o))
	at, value := make([]int32, 32), float32(0)
	p.Set.(features.TupleIndexer).Indices(game.Base(w.Game.New()), 0, at)
	for _, i := range at {
		value += p.Model.Table[i]
	}
	if value != 3200 {
		t.Errorf("the first position has the value %v, want 3200", value)
	}
}
