package kuhn

import (
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	"plyfit/game/gametest"
	board "plyfit/game/kuhn"
	"plyfit/models"
)

func TestLaw(t *testing.T) { featuretest.Laws(t, board.New, Sets, "kuhn", "kuhn:players=4") }

// TestHandWritten: the shipped evaluation orders cards, and knows what a fold costs.
func TestHandWritten(t *testing.T) {
	g := gametest.New(t, board.New, "kuhn")
	set := Sets(g)[0]
	e := features.NewEvaluator(g, set, featuretest.Shipped(t, g, set, "handwritten/kuhn.json"))
	value := func(position string) float64 {
		s, err := g.Parse(position)
		if err != nil {
			t.Fatal(err)
		}
		return e.Evaluate(s, 0)
	}
	if a, b, c := value("0 1 pb"), value("1 0 pb"), value("2 0 pb"); !(a < b && b < c) {
		t.Errorf("values of the cards %v, %v, %v: want them to rise", a, b, c)
	}
}

// peek is the planted cheat: a set with a term of the other's card.
type peek struct{ features.Set }

func (p peek) Extract(s game.State, q game.Player, x models.Vector) models.Vector {
	return append(p.Set.Extract(s, q, x), models.Term{Index: 0, Value: float32(s.(*board.State).Card(1-q)) + 2})
}

// TestCheatIsCaught: the law finds a set that looks at the other's card.
func TestCheatIsCaught(t *testing.T) {
	g := gametest.New(t, board.New, "kuhn")
	set := Sets(g)[0]
	if leak := featuretest.Leak(g, set, 20); leak != "" {
		t.Errorf("%s betrays what is hidden at %s", set.Name(), leak)
	}
	if leak := featuretest.Leak(g, peek{set}, 20); leak == "" {
		t.Error("a set with the other's card among its terms was not caught")
	}
}
