package tictactoe

import (
	"testing"

	"plyfit/features/featuretest"
	"plyfit/game/gametest"
	board "plyfit/game/tictactoe"
)

func TestLaw(t *testing.T) {
	g := gametest.New(t, board.New, "tictactoe")
	featuretest.Law(t, g, Lines())
	featuretest.Opposed(t, g, Lines())
	featuretest.Shipped(t, g, Lines(), "handwritten/tictactoe.json")
}

func TestTermsByHand(t *testing.T) {
	g := gametest.New(t, board.New, "tictactoe")
	for text, want := range map[string]map[string]float64{
		"XO..X.... O": {"tempo": -1, "fork": 0, "must-block": 1, "twos": 1, "ones": 3, "centre": 1, "corners": 1, "edges": -1},
		"X...O...X O": {"tempo": -1, "opposite-corners": 1, "centre": -1, "corners": 2},
		"XX.OO.... X": {"win-now": 1, "tempo": 1},
		"XOXO.OX.X O": {"win-now": -1},
		"X.X.OOX.. O": {"win-now": -1, "must-block": 0},
		"X.X.O.X.O O": {"fork": 1, "win-now": 0},
	} {
		featuretest.ByHand(t, g, Lines(), text, want)
	}
}
