package features

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/models"
)

// walked contains the data of the terms in these tests.
type walked struct {
	own, all float64
	values   [2]float64
}

func (w *walked) prepare(s game.State, p game.Player) {
	d := s.(*duel)
	w.own, w.all = float64(d.points[p]), float64(d.points[0]+d.points[1])
	w.values = [2]float64{w.own, w.all}
}

func (w *walked) append(x models.Vector) models.Vector { return AppendValues(x, w.values[:]) }

// duelTerms returns two terms whose values are provided by Append. If more is set, it adds a third
// term with its own Value function.
func duelTerms(more bool) Terms[walked] {
	t := Terms[walked]{
		Name:    "duel/terms",
		View:    duelSet{}.View,
		Prepare: (*walked).prepare,
		Append:  (*walked).append,
		List:    []Term[walked]{{Name: "own", Doc: "own ones"}, {Name: "all", Doc: "all"}},
	}
	if more {
		t.List = append(t.List, Term[walked]{Name: "rest", Doc: "the other's", Value: func(w *walked) float64 { return w.all - w.own }})
	}
	return t
}

// duelAt returns a position in which the players have taken 1 and 2 points.
func duelAt(t testing.TB) game.State {
	t.Helper()
	s := duelGame(2).New()
	for _, m := range []game.Move{1, 0, 2} { // player 0, the coin, player 1
		s.Play(m)
	}
	return s
}

func TestTermsExtract(t *testing.T) {
	s := duelAt(t)
	for _, c := range []struct {
		name  string
		terms Terms[walked]
		want  models.Vector
		names []string
	}{
		{"values", duelTerms(false), models.Vector{{Index: 0, Value: 1}, {Index: 1, Value: 3}}, []string{"own", "all"}},
		{"a value of its own", duelTerms(true), models.Vector{{Index: 0, Value: 1}, {Index: 1, Value: 3}, {Index: 2, Value: 2}}, []string{"own", "all", "rest"}},
		{"phased", phasedDuel(), models.Vector{{Index: 0, Value: 0.5}, {Index: 1, Value: 0.5}, {Index: 2, Value: 3}, {Index: 3, Value: 1}, {Index: 4, Value: 1}}, []string{"own@0", "own@1", "all", "rest@0", "rest@1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := c.terms.Set()
			if got := set.Extract(s, 0, nil); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
			if got := Own(set).Extract(s, 0, nil); !slices.Equal(got, c.want) {
				t.Errorf("%v for one goroutine, want %v", got, c.want)
			}
			m := models.New("duel", set.Name(), set.Blocks())
			var names []string
			for i := range m.Len() {
				names = append(names, m.Name(int32(i)))
			}
			if !slices.Equal(names, c.names) || c.terms.Len() != len(names) {
				t.Errorf("features %v, Len %d, want %v", names, c.terms.Len(), c.names)
			}
		})
	}
}

// phasedDuel returns terms with two phases. The middle term has a single weight.
func phasedDuel() Terms[walked] {
	t := duelTerms(true)
	t.List[1].Flat = true
	t.Phases, t.Phase = 2, func(*walked) Phase { return PhaseAt(0.5, 2) }
	t.Append = func(w *walked, x models.Vector) models.Vector {
		return appendValue(PhaseAt(0.5, 2).Append(x, 0, float32(w.own)), 2, float32(w.all))
	}
	return t
}

// TestTermsValues checks that Values are extracted in the order of the list, and that the compiled
// sum equals the weighted sum of the extracted features.
func TestTermsValues(t *testing.T) {
	terms := duelTerms(false)
	if c := terms.Set().(Compiler); c.Compile(duelGame(2), nil) != nil {
		t.Error("a set without Values compiles")
	}
	s := duelAt(t)
	want := terms.Set().Extract(s, 0, nil)
	terms.Append, terms.Values = nil, func(w *walked) []float64 { return w.values[:] }
	set := terms.Set()
	if got := set.Extract(s, 0, nil); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	m := models.New("duel", set.Name(), set.Blocks())
	m.Weights[0], m.Weights[1], m.Bias = 2, -3, 0.5
	const sum = 0.5 + 2*1 - 3*3
	if got := set.(Compiler).Compile(duelGame(2), m).Sum(s, 1); got != sum {
		t.Errorf("%v, want player 0's, %v", got, sum)
	}
}

func TestTermsPanic(t *testing.T) {
	for want, change := range map[string]func(t *Terms[walked]){
		"no function returns the value of own":               func(t *Terms[walked]) { t.Append = nil },
		"has both Values and other functions":                func(t *Terms[walked]) { t.Values = func(w *walked) []float64 { return w.values[:] } },
		"rest is a sequence of terms but has only one Value": func(t *Terms[walked]) { *t = duelTerms(true); t.List[2].Names = []string{"a", "b"} },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, want) {
					t.Errorf("panic %q, want %q", text, want)
				}
			}()
			terms := duelTerms(false)
			change(&terms)
			terms.Set()
		}()
	}
}

func TestTermsDocs(t *testing.T) {
	terms := duelTerms(true)
	terms.List = append(terms.List, Term[walked]{Name: "x-1", Doc: "some", Names: []string{"x-1", "x-2"}})
	want := []Doc{{"own", "own ones", false, []string{"own"}}, {"all", "all", false, []string{"all"}}, {"rest", "the other's", false, []string{"rest"}}, {"x-1", "some", true, []string{"x-1", "x-2"}}}
	if got := terms.Set().(Documented).Docs(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestOnSquare(t *testing.T) {
	for _, c := range []struct {
		name, of   string
		file, rank int
		ok         bool
	}{
		{"knight-f3", "knight", 5, 2, true}, {"passed-pawn-a8@24", "passed-pawn@24", 0, 7, true},
		{"knight-f9", "", 0, 0, false}, {"knight-i3", "", 0, 0, false}, {"f3", "", 0, 0, false}, {"knight-f3@", "", 0, 0, false},
	} {
		if of, file, rank, ok := OnSquare(c.name); of != c.of || file != c.file || rank != c.rank || ok != c.ok {
			t.Errorf("%s: %q, %d, %d, %v; want %q, %d, %d, %v", c.name, of, file, rank, ok, c.of, c.file, c.rank, c.ok)
		}
	}
}

func TestDocsByName(t *testing.T) {
	terms := duelTerms(true)
	terms.List = append(terms.List, Term[walked]{Name: "x-2", Doc: "some", Names: []string{"x-1", "x-2"}})
	docs := DocsByName(terms.Set())
	for _, b := range terms.Set().Blocks() {
		if docs[b.FeatureName(0)] == "" {
			t.Errorf("%s has no documentation among %v", b.FeatureName(0), docs)
		}
	}
	if docs["x-1"] != "some" || docs["x-2"] != "some" || len(docs) != terms.Len() {
		t.Errorf("%d of %d: %v", len(docs), terms.Len(), docs)
	}
}
