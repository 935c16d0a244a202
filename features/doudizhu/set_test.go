package doudizhu

import (
	"testing"

	"plyfit/features/featuretest"
	board "plyfit/game/doudizhu"
	"plyfit/game/gametest"
)

func TestLaw(t *testing.T) {
	featuretest.Laws(t, board.New, Sets, "doudizhu", "doudizhu:bid=on")
	g := gametest.New(t, board.New, "doudizhu")
	featuretest.Shipped(t, g, Sets(g)[0], "handwritten/doudizhu.json")
}

// TestPlays counts by hand.
func TestPlays(t *testing.T) {
	for text, want := range map[string]int{
		"3":                1,
		"34567":            1,
		"3456":             4,
		"3344556":          2,
		"33344456":         1,
		"3334":             1,
		"333445":           2,
		"3333BR":           2,
		"34567TJQKA2BR":    4,
		"333444555666789":  1,
		"3334445556667TJ2": 1,
	} {
		g := gametest.New(t, board.New, "doudizhu")
		s, err := g.Parse("3/" + text + "/4 landlord 0 stake 1 plays 111 turn 1")
		if err != nil {
			s, err = g.Parse("K/" + text + "/K landlord 0 stake 1 plays 111 turn 1")
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := Plays(s.(*board.State).Hand(1)); got != want {
			t.Errorf("%s needs %d plays, want %d", text, got, want)
		}
	}
}
