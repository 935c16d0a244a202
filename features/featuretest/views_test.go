package featuretest

import (
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/game/pig"
)

// faces returns a set for pig with the given fault, or without a fault if fault is "".
func faces(fault string) features.Set {
	type standing struct{ lead, total, turn float64 }
	return features.Terms[standing]{
		Name:          "pig/faces",
		Antisymmetric: true,
		View: func(s game.State) game.Player {
			switch p := s.(*pig.State).Player(); fault {
			case "View is always the first player":
				return 0
			case "View is the other player":
				return 1 - p
			case "View is no one while the die rolls":
				return s.Turn()
			default:
				return p
			}
		},
		Prepare: func(t *standing, st game.State, p game.Player) {
			s := st.(*pig.State)
			seer := p
			if fault == "the lead is always the first player's" {
				seer = 0
			}
			own, other := float64(s.Score(seer)), float64(s.Score(1-seer))
			*t = standing{lead: own - other, total: own + other}
			t.turn = float64(s.TurnTotal())
			if s.Player() != p {
				t.turn = -t.turn
			}
			if fault == "the other's turn counts nothing" {
				t.turn = max(t.turn, 0)
			}
			if fault == "the sum in place of the lead" {
				t.lead = t.total
			}
		},
		List: []features.Term[standing]{
			{Name: "lead", Value: func(t *standing) float64 { return t.lead }},
			{Name: "turn", Value: func(t *standing) float64 { return t.turn }},
		},
	}.Set()
}

// TestLawNamesWrongViews checks that the message describes what is wrong with the view or names the
// term that is not antisymmetric.
func TestLawNamesWrongViews(t *testing.T) {
	g := gametest.New(t, pig.New, "pig:target=30")
	for fault, want := range map[string]string{
		"":                                      "",
		"View is always the first player":       "View is 0: want 1, the player to move",
		"View is the other player":              ", the player to move",
		"View is no one while the die rolls":    "View is -1: want a player",
		"the lead is always the first player's": "lead is",
		"the other's turn counts nothing":       "turn is",
		"the sum in place of the lead":          "lead is",
	} {
		err := newLaw(t, g, faces(fault)).views()
		switch {
		case want == "" && err != nil:
			t.Errorf("a sound set: %v", err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: the law says %v, want something of %q", fault, err, want)
		}
	}
}
