package doudizhu

import (
	"context"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	board "plyfit/game/doudizhu"
	"plyfit/game/gametest"
	"plyfit/search"
	"plyfit/search/policy"
)

func ruling(t *testing.T) search.Agent {
	t.Helper()
	make, err := rule(new(game.Options))
	if err != nil {
		t.Fatal(err)
	}
	a, err := make()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestRule: what the rules of thumb say in plain cases.
func TestRule(t *testing.T) {
	g := gametest.New(t, board.New, "doudizhu")
	for position, want := range map[string]string{
		"34567/6/7 landlord 0 stake 1 plays 211 turn 0":                         "34567", // goes out
		"3344KK/66777788/99 landlord 0 stake 1 plays 211 turn 1 on 55 by 2":     "pass",  // his partner's
		"3344KKAA/6677778/99 landlord 0 stake 1 plays 211 turn 1 on 55 by 0":    "66",    // cheap
		"33445566KK/7777/99 landlord 0 stake 1 plays 211 turn 1 on 55 by 2":     "7777",  // goes out
		"3344556688TK/377779/99 landlord 0 stake 1 plays 211 turn 1 on QQ by 0": "pass",  // keeps the bomb
		"33/377779/99 landlord 0 stake 1 plays 211 turn 1 on QQ by 0":           "7777",  // needs it
	} {
		s, err := g.Parse(position)
		if err != nil {
			t.Fatal(err)
		}
		r, err := ruling(t).Search(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.MoveString(r.Move); got != want {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
}

// TestRuleBeatsRandom as the landlord and as both farmers, in the same 100 deals.
func TestRuleBeatsRandom(t *testing.T) {
	g := gametest.New(t, board.New, "doudizhu")
	won := [2]int{}
	for deal := range uint64(100) {
		for side := range won {
			luck := rand.New(rand.NewPCG(deal, 9))
			random := policy.NewRandom()
			random.Begin(deal)
			s := g.New()
			for s.Turn() != game.Nobody {
				p := s.Turn()
				if p == game.Chance {
					s.Play(game.Drawn(s, s.Moves(nil), luck.Float64()))
					continue
				}
				a := random
				if (p == 0) == (side == 0) {
					a = ruling(t)
				}
				r, err := a.Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				s.Play(r.Move)
			}
			if (s.Utility(0) > 0) == (side == 0) {
				won[side]++
			}
		}
	}
	if won[0] < 85 || won[1] < 85 {
		t.Errorf("the rules win %d of 100 as the landlord and %d as the farmers", won[0], won[1])
	}
}
