package featuretest

import (
	"math"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/models"
)

// Laws applies [Law] to all sets of the games given by specs without wrappers.
func Laws(t *testing.T, make gametest.Maker, sets func(g *game.Game) []features.Set, specs ...string) {
	t.Helper()
	for _, spec := range specs {
		g := gametest.New(t, make, spec)
		for _, set := range sets(g) {
			t.Run(spec+"/"+set.Name(), func(t *testing.T) { Law(t, g, set) })
		}
	}
}

// Values returns the nonzero terms of a position, by name, from p's point of view. If a term has
// several phases, their values are added up.
func Values(t testing.TB, g *game.Game, set features.Set, text string, p game.Player) map[string]float64 {
	t.Helper()
	s, err := g.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	m, got := models.New(g.Name, set.Name(), set.Blocks()), map[string]float64{}
	for _, term := range set.Extract(game.Base(s), p, nil) {
		name, _, _ := strings.Cut(m.Name(term.Index), "@")
		got[name] += float64(term.Value)
	}
	return got
}

// ByHand compares terms from player 0's point of view with the values in want, which may be 0. Each
// name must be a term of the set.
func ByHand(t testing.TB, g *game.Game, set features.Set, text string, want map[string]float64) {
	t.Helper()
	got, known := Values(t, g, set, text, 0), map[string]bool{}
	for _, b := range set.Blocks() {
		known[b.Name] = true
	}
	for name, v := range want {
		if !known[name] {
			t.Errorf("%s is not a term of %s", name, set.Name())
		}
		if math.Abs(got[name]-v) > 1e-6 {
			t.Errorf("%s: %s is %v, want %v", text, name, got[name], v)
		}
	}
}
