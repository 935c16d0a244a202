package bases

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/study"
)

func world(t *testing.T, spec string) *catalog.World {
	t.Helper()
	w, err := catalog.All().World(spec)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// labelled are the positions of some games with their labels.
func labelled(t *testing.T, w *catalog.World, label Label, games int) rows {
	t.Helper()
	f := Fit{Game: w.Spec, World: study.World{}, Games: games, Seed: 7, Label: label}
	if !w.Chancy() {
		f.World.Slip = 0.2
	}
	p, err := f.newPlayer(w)
	if err != nil {
		t.Fatal(err)
	}
	var data rows
	for i := range uint64(games) {
		if err := p.play(context.Background(), i, &data); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

// Ranks go from -1 to 1 by order alone; equal values share the mean of theirs.
func TestRank(t *testing.T) {
	of := func(values ...float64) (ranks []float64) {
		var l rows
		for _, y := range values {
			l = append(l, datasets.Sample{Y: y})
		}
		l.rank()
		for _, r := range l {
			ranks = append(ranks, r.Y)
		}
		return ranks
	}
	if got, want := of(0.5, -1, 0.5, 2), []float64{0, -0.75, 0, 0.75}; !slices.Equal(got, want) {
		t.Errorf("ranks %v, want %v", got, want)
	}
	if a, b := of(0.1, 0.9, -0.3), of(1, 100, -1e9); !slices.Equal(a, b) {
		t.Errorf("ranks %v and %v of one order", a, b)
	}
}

// The games of one seed are the same whatever the label. Points have the sign of
// the outcome and say by how much: a sixteenth of the points is not a win.
func TestPoints(t *testing.T) {
	for _, spec := range []string{"othello:score=win", "connect4", "connect4:dice=on"} {
		w := world(t, spec)
		outcome, points := labelled(t, w, Outcome, 30), labelled(t, w, Points, 30)
		if len(outcome) != len(points) {
			t.Fatalf("%s: %d positions and %d", spec, len(outcome), len(points))
		}
		sizes := map[float64]bool{}
		for i, o := range outcome {
			p := points[i].Y
			if o.Y*p < 0 || (o.Y == 0) != (p == 0) || math.Abs(p) > 1 {
				t.Fatalf("%s: outcome %v, points %v", spec, o.Y, p)
			}
			sizes[math.Abs(p)] = true
		}
		if len(sizes) < 5 {
			t.Errorf("%s: points of %d sizes only", spec, len(sizes))
		}
	}
	for _, spec := range []string{"checkers", "othello", "connect4:score=distance"} {
		if err := CheckLabel(world(t, spec), Points); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line", spec, err)
		}
	}
	if err := CheckLabel(world(t, "checkers"), Ranks); err != nil {
		t.Error(err)
	}
}

// Ranks spread what a search says evenly, and models of points are less sure of a
// win than models of wins.
func TestLabelsOfModels(t *testing.T) {
	w := world(t, "othello:score=win")
	spread := func(label Label) float64 {
		m := learn1(t, w, Fit{World: study.World{Slip: 0.1}, Games: 150, Seed: 5, Label: label})
		_, model, err := m.linear(w)
		if err != nil {
			t.Fatal(err)
		}
		sum, data := 0.0, labelled(t, w, Outcome, 30)
		for _, r := range data {
			v := model.Link.Apply(model.Dot(r.X), -1, 1)
			sum += v * v / float64(len(data))
		}
		return math.Sqrt(sum)
	}
	outcome, points, ranks := spread(Outcome), spread(Points), spread(Ranks)
	if !(points < 0.7*outcome) {
		t.Errorf("values of a model of points spread %.3f, of wins %.3f; want far less", points, outcome)
	}
	if ranks == spread(Search) || ranks == outcome {
		t.Errorf("a model of ranks is another one's")
	}
}

// A group of features that is left out weighs nothing, the others are fitted again.
func TestLeftOut(t *testing.T) {
	w := world(t, "checkers")
	f := Fit{World: study.World{Slip: 0.1}, Games: 60, Seed: 3}
	whole := learn1(t, w, f)
	_, model, err := whole.linear(w)
	if err != nil {
		t.Fatal(err)
	}
	prefix := model.Name(0)
	f.Out = []string{prefix}
	less := learn1(t, w, f)
	others := false
	for i := range whole.Weights {
		if strings.HasPrefix(model.Name(int32(i)), prefix) {
			if less.Weights[i] != 0 || whole.Weights[i] == 0 {
				t.Errorf("%s weighs %v, and %v in the whole model", model.Name(int32(i)), less.Weights[i], whole.Weights[i])
			}
		} else if less.Weights[i] != whole.Weights[i] {
			others = true
		}
	}
	if !others {
		t.Error("no other feature was fitted again")
	}
	for _, group := range [][]string{{"nothing of that name"}, {""}, {prefix, prefix}} {
		if err := CheckGroup(w, group); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("group %q: %v, want one line", group, err)
		}
	}
}

// A training gives the same model twice, another one for another seed, with the
// link that it learned by.
func TestTraining(t *testing.T) {
	w := world(t, "connect4:columns=5,rows=4")
	learn := func(seed uint64) Model {
		m, err := Training{Game: w.Spec, Method: "td", Games: 100, Seed: seed}.Learn(context.Background(), w)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	a, again, other := learn(1), learn(1), learn(2)
	if !slices.Equal(a.Weights, again.Weights) || slices.Equal(a.Weights, other.Weights) {
		t.Error("the weights do not follow from the seed")
	}
	if a.Link == "" || !slices.ContainsFunc(a.Weights, func(x float64) bool { return x != 0 }) {
		t.Errorf("nothing was learned: %+v", a)
	}
	u, err := a.Contestant(w, "td", 1)
	if err != nil || u.Model.Link.Kind != a.Link || !slices.Equal(u.Model.Weights, a.Weights) {
		t.Errorf("the evaluation is not the model: %v", err)
	}
}
