package policy_test

import (
	"math"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/game/poker"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/policy"
)

// chips evaluates a position by the player's card and the chips that the player has put in.
type chips struct{}

func (chips) Evaluate(s game.State, p game.Player) float64 {
	k := s.(*poker.Kuhn)
	return float64(k.Card(p)-1) * float64(k.Paid(p))
}

// TestSoftmax checks that the odds of the moves, including moves that end the game, follow from
// their values and do not depend on the opponent's card.
func TestSoftmax(t *testing.T) {
	g := gametest.New(t, poker.NewKuhn, "kuhn")
	p := vectors.Must(policy.NewSoftmax(search.Options{Game: g, Eval: chips{}}, 0.25, 0)) // one chip, since the range is four chips
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
	zero := vectors.Must(policy.NewSoftmax(search.Options{Game: g, Eval: search.Zero(g)}, 0, 0))
	s, _ := g.Parse("2 0 pb")
	if got := zero.Probs(s, s.Moves(nil), nil); got[0] != 0.5 {
		t.Errorf("who knows nothing plays %v", got)
	}
	for _, bad := range [][2]float64{{-1, 0}, {0, -0.1}, {0, 1.1}} {
		if _, err := policy.NewSoftmax(search.Options{Game: g, Eval: chips{}}, bad[0], bad[1]); err == nil {
			t.Errorf("a temperature of %v and a random share of %v were taken", bad[0], bad[1])
		}
	}
}

// TestOpenSoftmax checks the odds of the moves in games without hidden information. Apart from the
// moves that are drawn uniformly, they must follow from the values that a greedy agent computes.
func TestOpenSoftmax(t *testing.T) {
	for _, c := range []struct {
		spec, position string
		moves          int
	}{{"connect4", "1122", 7}, {"tree", "(max 1 3 (min 2 9))", 3}, {"connect4+slip=0.3", "12", 7}, {"pig:target=30", "", 2}} {
		w := vectors.Must(catalog.All().World(c.spec))
		s := w.New()
		if c.position != "" {
			s = vectors.Must(w.Parse(c.position))
		}
		for s.Turn() < 0 {
			s.Play(s.Moves(nil)[0])
		}
		eval := vectors.Must(w.Evaluation("")).New()
		greedy := vectors.Must(search.NewGreedy(search.Options{Game: w.Game, Eval: eval}))
		r := vectors.Must(greedy.Search(t.Context(), s))
		const temperature, random = 0.1, 0.2
		p := vectors.Must(policy.NewSoftmax(search.Options{Game: w.Game, Eval: eval}, temperature, random))
		moves := s.Moves(nil)
		got, sum := p.Probs(s, moves, []float64{7})[1:], 0.0
		if len(got) != c.moves {
			t.Fatalf("%s: %v, want %d probabilities", c.spec, got, c.moves)
		}
		for i, q := range got {
			sum += q
			odds := math.Exp((r.Root[i].Value - r.Root[0].Value) / temperature / (w.Max - w.Min))
			uniform := random / float64(len(moves))
			if math.Abs((q-uniform)-(got[0]-uniform)*odds) > 1e-12 {
				t.Errorf("%s: move %d has the probability %v, the first one %v: want odds of %v above %v", c.spec, i, q, got[0], odds, uniform)
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%s: the probabilities sum to %v", c.spec, sum)
		}
	}
}
