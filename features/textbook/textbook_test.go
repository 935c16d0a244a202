package textbook

import (
	"cmp"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/game/tictactoe"
	"plyfit/game/tree"
	"plyfit/internal/vectors"
)

func TestTicTacToeLaw(t *testing.T) {
	g := gametest.New(t, tictactoe.New, "tictactoe")
	featuretest.Law(t, g, lines.Set())
	featuretest.Shipped(t, g, lines.Set(), "handwritten/tictactoe.json")
}

func TestTermsByHand(t *testing.T) {
	g := gametest.New(t, tictactoe.New, "tictactoe")
	for text, want := range map[string]map[string]float64{
		"XO..X.... O": {"tempo": -1, "fork": 0, "must-block": 1, "twos": 1, "ones": 3, "centre": 1, "corners": 1, "edges": -1},
		"X...O...X O": {"tempo": -1, "opposite-corners": 1, "centre": -1, "corners": 2},
		"XX.OO.... X": {"win-now": 1, "tempo": 1},
		"XOXO.OX.X O": {"win-now": -1},
		"X.X.OOX.. O": {"win-now": -1, "must-block": 0},
		"X.X.O.X.O O": {"fork": 1, "win-now": 0},
	} {
		featuretest.ByHand(t, g, lines.Set(), text, want)
	}
}

// TestTurnedNames checks that an explanation from max's point of view names the terms correctly
// when the set describes the position from min's. The leaves of (min 3 12 8) have the maximum 12
// and the minimum 3.
func TestTurnedNames(t *testing.T) {
	g := gametest.New(t, tree.New, "tree")
	s := vectors.Must(g.Parse("(max (min 3 12 8) 5)"))
	e := features.NewEvaluator(g, leaves.Set(), featuretest.Shipped(t, g, leaves.Set(), "handwritten/tree.json"))
	x, _ := e.After(s, s.Moves(nil)[0])
	got := map[string]float64{}
	for _, term := range x.Terms {
		got[cmp.Or(term.Reads, term.Name)] = term.Value
	}
	if got["leaf-max"] != 12 || got["leaf-min"] != 3 {
		t.Errorf("the leaves read %v, want a most of 12 and a least of 3", got)
	}
}

func TestTreeLaw(t *testing.T) {
	g := gametest.New(t, tree.New, "tree")
	featuretest.Law(t, g, leaves.Set())
	e := features.NewEvaluator(g, leaves.Set(), featuretest.Shipped(t, g, leaves.Set(), "handwritten/tree.json"))
	for text, want := range map[string]float64{"(max (min 3 12) 1)": 4.25, "(min 1 2)": 1.5, "(chance 1/4 8 3/4 (min 0 4))": 3.5} {
		s := vectors.Must(g.Parse(text))
		for p, want := range []float64{want, -want} {
			if got := e.Evaluate(s, game.Player(p)); got != want {
				t.Errorf("%s: player %d gets %v, want %v", text, p, got, want)
			}
		}
	}
}
