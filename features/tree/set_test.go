package tree

import (
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	"plyfit/game/gametest"
	board "plyfit/game/tree"
)

func TestLaw(t *testing.T) {
	g := gametest.New(t, board.New, "tree")
	featuretest.Law(t, g, Leaves())
	e := features.NewEvaluator(g, Leaves(), featuretest.Shipped(t, g, Leaves(), "handwritten/tree.json"))
	for text, want := range map[string]float64{"(max (min 3 12) 1)": 4.25, "(min 1 2)": 1.5, "(chance 1/4 8 3/4 (min 0 4))": 3.5} {
		s, err := g.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for p, want := range []float64{want, -want} {
			if got := e.Evaluate(s, game.Player(p)); got != want {
				t.Errorf("%s: player %d gets %v, want %v", text, p, got, want)
			}
		}
	}
}
