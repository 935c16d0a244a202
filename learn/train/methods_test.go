package train

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/settings"
	"plyfit/learn/online"
	"plyfit/learn/online/runner"
	"plyfit/models"
)

// counter is a learner that plays nothing: its bias is the number of episodes.
type counter struct {
	model *models.Linear
	tally online.Tally
}

func (c *counter) Advance(_ context.Context, from, to int) error {
	c.tally.Episodes = to
	c.model.Bias = float64(to)
	return nil
}
func (c *counter) Model() *models.Linear    { return c.model }
func (c *counter) Tally() online.Tally      { return c.tally }
func (c *counter) Snapshot(io.Writer) error { return nil }
func (c *counter) Restore(io.Reader) error  { return nil }

// TestNewMethod: an online learner that nobody knows takes a Method and an item of
// Methods, nothing else.
func TestNewMethod(t *testing.T) {
	count := &Method{Name: "count", Doc: "count counts.", Own: features.Training{Batch: 10}, Learner: func(p *Plan) (online.Learner, error) {
		p.Chunk = p.Batch
		p.Depends("counts", "episodes")
		return &counter{model: p.Model}, nil
	}}
	defer func(methods []*Method) { Methods = methods }(Methods)
	Methods = append(Methods[:len(Methods):len(Methods)], count)
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	o, err := Defaults(w, features.Training{Method: "count", Episodes: 70})
	if err != nil {
		t.Fatal(err)
	}
	o.Curve.Pairs, o.Dir = 0, t.TempDir()
	r, err := Run(context.Background(), w, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Model.Bias != 70 || r.Model.Provenance.Method != "count" || r.Report.Episodes != 70 {
		t.Errorf("bias %v by %s after %d episodes", r.Model.Bias, r.Model.Provenance.Method, r.Report.Episodes)
	}
	for _, want := range []runner.RecipeItem{{Key: "counts", Value: "episodes"}, {Key: "batch", Value: "10"}} {
		if !slices.Contains(r.Recipe, want) {
			t.Errorf("the recipe %v lacks %v", r.Recipe, want)
		}
	}
	o.Population = 9
	if _, err := Run(context.Background(), w, o); err == nil || err.Error() != "population: of method evolution, not of count" {
		t.Errorf("population: %v", err)
	}
}

// faults is what is wrong with the settings of a struct: the law that the tags of
// [Options] and of what stands in them are held to. Each setting has a name of its own,
// says what it is, is read by methods that there are, and takes its default; one that a
// method does not read is refused, in one line.
func faults(at any) (found []string) {
	names := map[string]bool{}
	for _, s := range settings.Of(at) {
		say := func(format string, values ...any) { found = append(found, s.Name+": "+fmt.Sprintf(format, values...)) }
		if names[s.Name] {
			say("twice")
		}
		names[s.Name] = true
		if strings.HasSuffix(s.Help(), ": ") || s.Help() == "" {
			say("no help")
		}
		for _, name := range append(s.Readers(), s.Others()...) {
			if !slices.Contains(Names(), name) {
				say("no method %s", name)
			}
		}
		for _, m := range Methods {
			if text := s.Unread(m.Name).Error(); !s.ReadBy(m.Name) && (strings.Contains(text, "\n") || !strings.HasSuffix(text, ", not of "+m.Name)) {
				say("refused by %q", text)
			}
		}
	}
	return found
}

func TestSettings(t *testing.T) {
	var o Options
	if found := faults(&o); len(found) > 0 {
		t.Error(strings.Join(found, "\n"))
	}
	settings.Fill(&o, "")
	if err := settings.Check(&o, ""); err != nil {
		t.Error(err)
	}
	var planted struct {
		A int     `flag:"a"`
		B float64 `flag:"b" of:"guessing" help:"what"`
		C bool    `flag:"a" help:"again"`
		D bool    `flag:"d" but:"guessing" help:"what"`
	}
	if found := faults(&planted); !slices.Equal(found, []string{"a: no help", "b: no method guessing", "a: twice", "d: no method guessing"}) {
		t.Errorf("planted faults: %q", found)
	}
}

// TestUnread: every method refuses every setting that it does not read, whoever asks.
func TestUnread(t *testing.T) {
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, m := range Methods {
		for i, s := range settings.Of(&Options{}) {
			if s.ReadBy(m.Name) {
				continue
			}
			o, err := Defaults(w, features.Training{Method: m.Name})
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"true", "wins", "1", "4", "logistic"} { // what settings of a kind may be
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
	if refused < 50 {
		t.Errorf("%d settings were refused: want at least 50", refused)
	}
}
