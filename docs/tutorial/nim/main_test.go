package main

import (
	"testing"

	"plyfit/catalog"
	"plyfit/features/featuretest"
	"plyfit/game/gametest"
)

// TestLaw checks the rules and the features against the laws that all games in plyfit satisfy.
func TestLaw(t *testing.T) {
	for _, spec := range []string{"nim", "nim:stones=1", "nim:stones=50"} {
		t.Run(spec, func(t *testing.T) {
			w, err := catalog.Catalog{nim}.World(spec)
			if err != nil {
				t.Fatal(err)
			}
			gametest.Law(t, w.Game, gametest.Options{Playouts: 200})
			for _, set := range nim.Sets(w.Game) {
				featuretest.Law(t, w.Game, set)
			}
		})
	}
}
