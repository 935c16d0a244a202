package g2048

import (
	"testing"

	"plyfit/features/featuretest"
	board "plyfit/game/2048"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

// The board may be turned and mirrored: all terms stay.
func TestSymmetry(t *testing.T) {
	g := gametest.New(t, board.New, "2048")
	set := sets(g)[0]
	a := vectors.Must(g.Parse("0125/3416/0230/7700 player 100"))
	for _, text := range []string{"5210/6143/0320/0077 player 100", "7700/0230/3416/0125 player 100", "0307/1427/2130/5600 player 100"} {
		b := vectors.Must(g.Parse(text))
		x, y := set.Extract(a, 0, nil), set.Extract(b, 0, nil)
		if len(x) != len(y) {
			t.Fatalf("%s: %d terms and %d", text, len(x), len(y))
		}
		for i := range x {
			if x[i] != y[i] {
				t.Errorf("%s: term %d is %v and %v", text, x[i].Index, x[i].Value, y[i].Value)
			}
		}
	}
}

func TestTermsByHand(t *testing.T) {
	g := gametest.New(t, board.New, "2048")
	featuretest.ByHand(t, g, sets(g)[0], "1123/0000/0000/0003 player 16", map[string]float64{
		"score": 16, "empty": 11, "merges": 2, // the twos, and the eights down the side
		"merge-exponents": 4, "chain": 2, "full-lines": 1, "stuck-lines": 0,
		"tiles-4": 1, "tiles-8": 2, "tiles-16": 0, "roughness": 2, "valleys": 0, "disorder": 0 + 3,
	})
}

func TestLaw(t *testing.T) {
	featuretest.Laws(t, board.New, sets, "2048", "2048:size=3", "2048:size=2")
}

func TestHandWritten(t *testing.T) {
	g := gametest.New(t, board.New, "2048")
	for i, name := range []string{"2048", "2048-basic"} {
		if m := featuretest.Shipped(t, g, sets(g)[i], "handwritten/"+name+".json"); m.Weights[0] != 1 {
			t.Errorf("%s: score weighs %v, want 1", name, m.Weights[0])
		}
	}
}
