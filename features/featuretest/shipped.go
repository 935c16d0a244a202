package featuretest

import (
	"math"
	"testing"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// Shipped reads the model at path among those that come with plyfit and binds it
// to set, or fails t.
func Shipped(t testing.TB, g *game.Game, set features.Set, path string) *models.Linear {
	t.Helper()
	data, ok := models.Shipped(path)
	if !ok {
		t.Fatalf("no shipped model %s", path)
	}
	f, err := models.Read(path, data)
	if err != nil {
		t.Fatal(err)
	}
	m, err := features.Bind(set, g, f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Opposed fails t if the two players of g have not opposite values by set: if a
// weighted sum of its terms is not the negative of that in the other's view.
func Opposed(t *testing.T, g *game.Game, set features.Set) {
	t.Helper()
	l := newLaw(t, g, set)
	l.play(6, func(s game.State) {
		a, b := l.model.Dot(set.Extract(s, 0, nil)), l.model.Dot(set.Extract(s, 1, nil))
		if math.Abs(a+b) > 1e-5*math.Max(1, math.Abs(a)) {
			t.Fatalf("%s: player 0 sees %v, player 1 %v", s, a, b)
		}
	}, nil, nil)
}
