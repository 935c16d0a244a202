package checkers

import (
	"math"
	"testing"

	"plyfit/features/featuretest"
	rules "plyfit/game/checkers"
	"plyfit/game/gametest"
)

func TestLaw(t *testing.T) { featuretest.Laws(t, rules.New, sets, "checkers") }

// TestTerms counts positions by hand, black first.
func TestTerms(t *testing.T) {
	for _, c := range []struct {
		text string
		want map[string]float64
	}{
		{"B:W21-32:B1-12", map[string]float64{"tempo": 1, "opposition": -1}},
		// Black: bridge and triangle on 1, 2, 3, 7, a man on 28 in the hole.
		// White: a king in the middle, men on 32 and 31.
		{"W:W32,31,K18:B1,2,3,7,28", map[string]float64{
			"men": 3, "kings": -1, "back-row": 3 - 2, "bridge": 1, "triangle": 1, "advance": 1 + 6, "kings-centre": -1,
			"sides": 1, "dog-hole": 1, "mobility": 2 + 1 + 1 + 2 + 0 - (1 + 2 + 4), "trade": 2. / 8, "tempo": -1,
		}},
		// White's king in the corner can neither step nor jump: 25 and 22 are
		// behind one another. No man is past the other's pieces but black's on 26.
		{"B:WK29:B22,25,26", map[string]float64{"men": 3, "kings": -1, "runaway": 1, "trapped": -1}},
		{"B:W20:B21", map[string]float64{"runaway": 0, "sides": 0}},
	} {
		featuretest.ByHand(t, gametest.New(t, rules.New, "checkers"), classic.Set(), c.text, c.want)
	}
}

// TestColours turns boards round and swaps the colours: the mover sees the same.
func TestColours(t *testing.T) {
	g := gametest.New(t, rules.New, "checkers")
	a := featuretest.Values(t, g, classic.Set(), "B:W21,22,K6,30,32:B1,3,K18,9,12", 0)
	b := featuretest.Values(t, g, classic.Set(), "W:B12,11,K27,3,1:W32,30,K15,24,21", 1)
	for name, v := range a {
		if math.Abs(b[name]-v) > 1e-6 {
			t.Errorf("%s: %v for black, %v for white", name, v, b[name])
		}
	}
	if len(a) != len(b) || len(a) < 5 {
		t.Errorf("%v and %v", a, b)
	}
}
