package doudizhu

import (
	"context"
	"testing"

	"plyfit/features/featuretest"
	"plyfit/game"
	board "plyfit/game/doudizhu"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
	"plyfit/search"
)

func TestLaw(t *testing.T) {
	featuretest.Laws(t, board.New, Profile.Sets, "doudizhu", "doudizhu:bid=on")
	g := gametest.New(t, board.New, "doudizhu")
	featuretest.Shipped(t, g, Profile.Sets(g)[0], "handwritten/doudizhu.json")
}

// TestPlays checks numbers of plays that were counted by hand.
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
		if got := playsOf(s.(*board.State).Hand(1)); got != want {
			t.Errorf("%s needs %d plays, want %d", text, got, want)
		}
	}
}

func ruling(t *testing.T) search.Agent {
	t.Helper()
	make := vectors.Must(rule(new(game.Options)))
	return vectors.Must(make())
}

// TestRule checks the agent's moves in simple positions.
func TestRule(t *testing.T) {
	g := gametest.New(t, board.New, "doudizhu")
	for position, want := range map[string]string{
		"34567/6/7 landlord 0 stake 1 plays 211 turn 0":                         "34567", // plays its last cards
		"3344KK/66777788/99 landlord 0 stake 1 plays 211 turn 1 on 55 by 2":     "pass",  // leaves its partner's play
		"3344KKAA/6677778/99 landlord 0 stake 1 plays 211 turn 1 on 55 by 0":    "66",    // follows cheaply
		"33445566KK/7777/99 landlord 0 stake 1 plays 211 turn 1 on 55 by 2":     "7777",  // plays its last cards
		"3344556688TK/377779/99 landlord 0 stake 1 plays 211 turn 1 on QQ by 0": "pass",  // keeps the bomb
		"33/377779/99 landlord 0 stake 1 plays 211 turn 1 on QQ by 0":           "7777",  // needs the bomb
	} {
		s := vectors.Must(g.Parse(position))
		r := vectors.Must(ruling(t).Search(context.Background(), s))
		if got := s.MoveString(r.Move); got != want {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
}
