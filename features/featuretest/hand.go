package featuretest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/models"
)

// Laws holds all sets of the games that specs without wrappers name to [Law].
func Laws(t *testing.T, make gametest.Maker, sets func(g *game.Game) []features.Set, specs ...string) {
	t.Helper()
	for _, spec := range specs {
		g := gametest.New(t, make, spec)
		for _, set := range sets(g) {
			t.Run(spec+"/"+set.Name(), func(t *testing.T) { Law(t, g, set) })
		}
	}
}

// values are the terms of a position by name, in the view of p, phases apart.
func values(set features.Set, g *game.Game, text string, p func(s game.State) game.Player, visit func(name string, v float64)) error {
	s, err := g.Parse(text)
	if err != nil {
		return err
	}
	m := models.New(g.Name, set.Name(), set.Blocks())
	for _, term := range set.Extract(game.Base(s), p(s), nil) {
		visit(m.Name(term.Index), float64(term.Value))
	}
	return nil
}

// Values are the terms of a position that are not 0, by name, in the view of p; what a
// term has in several phases is added up.
func Values(t testing.TB, g *game.Game, set features.Set, text string, p game.Player) map[string]float64 {
	t.Helper()
	got := map[string]float64{}
	err := values(set, g, text, func(game.State) game.Player { return p }, func(name string, v float64) {
		name, _, _ = strings.Cut(name, "@")
		got[name] += v
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// ByHand compares the terms that want names, 0 included, to those in player 0's view.
func ByHand(t testing.TB, g *game.Game, set features.Set, text string, want map[string]float64) {
	t.Helper()
	got := Values(t, g, set, text, 0)
	for name, v := range want {
		if math.Abs(got[name]-v) > 1e-6 {
			t.Errorf("%s: %s is %v, want %v", text, name, got[name], v)
		}
	}
}

// Print prints the terms of a position that are not 0, in its View, for an example. It
// panics where game, set or position is none.
func Print(make gametest.Maker, sets func(g *game.Game) []features.Set, set, spec, text string) {
	o, err := game.ParseSpec(spec)
	if err != nil {
		panic(err)
	}
	g, err := make(o.Options)
	if err != nil {
		panic(err)
	}
	for _, s := range sets(g) {
		if s.Name() == set {
			if err := values(s, g, text, s.View, func(name string, v float64) { fmt.Printf("%s %.2f\n", name, v) }); err != nil {
				panic(err)
			}
			return
		}
	}
	panic(set + " is no set of " + spec)
}

// Extraction measures how long it takes to extract each set at a position.
func Extraction(b *testing.B, g *game.Game, sets []features.Set, text string) {
	s, err := g.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	for _, set := range sets {
		b.Run(set.Name(), func(b *testing.B) {
			var x models.Vector
			set := features.Own(set)
			for b.Loop() {
				x = set.Extract(s, 0, x[:0])
			}
			b.ReportMetric(float64(len(x)), "terms")
		})
	}
}
