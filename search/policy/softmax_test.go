package policy_test

import (
	"math"
	"testing"

	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/game/gametest"
	"plyfit/game/poker"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/policy"
)

// chips values positions by a player's card and the chips that he has put in.
type chips struct{}

func (chips) Evaluate(s game.State, p game.Player) float64 {
	k := s.(*poker.Kuhn)
	return float64(k.Card(p)-1) * float64(k.Paid(p))
}

// TestSoftmax: moves have the odds of their values, at the end of the game, too, and whatever
// the other holds.
func TestSoftmax(t *testing.T) {
	g := gametest.New(t, poker.NewKuhn, "kuhn")
	p, err := policy.NewSoftmax(g, chips{}, 0.25) // of a range of 4 chips: 1
	if err != nil {
		t.Fatal(err)
	}
	for position, want := range map[string]float64{"2 0": 1, "2 1 pb": 1, "0 1": -1, "0 2 pb": -1, "1 0": 0, "1 2 pb": 0} {
		s := vectors.Must(g.Parse(position))
		got := p.Probs(s, s.Moves(nil), []float64{7})
		if len(got) != 3 || got[0] != 7 || math.Abs(got[2]-1/(1+math.Exp(-want))) > 1e-12 || math.Abs(got[1]+got[2]-1) > 1e-12 {
			t.Errorf("%s: %v, want odds of exp(%v) for a bet", position, got, want)
		}
		if s.String() != position {
			t.Errorf("%s became %s", position, s)
		}
	}
	zero := vectors.Must(policy.NewSoftmax(g, search.Zero(g), 0))
	s, _ := g.Parse("2 0 pb")
	if got := zero.Probs(s, s.Moves(nil), nil); got[0] != 0.5 {
		t.Errorf("who knows nothing plays %v", got)
	}
	if _, err := policy.NewSoftmax(gametest.New(t, connect4.New, "connect4"), chips{}, 0); err == nil {
		t.Error("a game in which nothing is hidden was taken")
	}
	if _, err := policy.NewSoftmax(g, chips{}, -1); err == nil {
		t.Error("a temperature of -1 was taken")
	}
}
