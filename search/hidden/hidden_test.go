package hidden_test

import (
	"context"
	"math"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/game/poker"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/hidden"
)

func ask(t *testing.T, g *game.Game, a search.Agent, position string) (game.State, search.Result) {
	t.Helper()
	s := vectors.Must(g.Parse(position))
	a.Begin(1)
	r := vectors.Must(a.Search(context.Background(), s))
	if s.String() != position {
		t.Errorf("the search leaves %s, found %s", s, position)
	}
	return s, r
}

func pimc(t *testing.T, g *game.Game, samples int, inner search.Agent, err error) search.Agent {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return vectors.Must(hidden.NewPIMC(hidden.PIMC{Game: g, Agent: inner, Samples: samples, Complete: true}))
}

// These are the moves in Kuhn poker.
const pass, bet game.Move = 0, 1

// TestMeanOverDeals checks the mean values that PIMC computes in Kuhn poker. The mover has the
// middle card and faces a bet from an opponent who has the lowest or the highest card. A call wins
// or loses 2, so its mean is near 0, and a fold loses 1. Alpha-beta, which leaves bounds at its
// root, must give the same result as minimax.
func TestMeanOverDeals(t *testing.T) {
	g := gametest.New(t, poker.NewKuhn, "kuhn")
	full, err := search.NewMinimax(search.Options{Game: g.Open(), Eval: search.Zero(g), Depth: 4})
	_, r := ask(t, g, pimc(t, g, 4000, full, err), "1 0 pb")
	if r.Move != bet || len(r.Root) != 2 || r.Root[0].Value != -1 || math.Abs(r.Root[1].Value) > 0.1 || r.Values[0] != -r.Values[1] {
		t.Errorf("minimax: %+v", r)
	}
	for _, position := range []string{"1 0 pb", "2 1", "0 2 p", "1 2"} {
		_, want := ask(t, g, pimc(t, g, 200, full, err), position)
		pruned, err := search.NewAlphaBeta(search.Options{Game: g.Open(), Eval: search.Zero(g), Depth: 4})
		_, got := ask(t, g, pimc(t, g, 200, pruned, err), position)
		for i, m := range got.Root {
			if math.Abs(m.Value-want.Root[i].Value) > 1e-12 {
				t.Errorf("%s: alpha-beta %v, minimax %v", position, got.Root, want.Root)
			}
		}
		if len(got.Best) != len(want.Best) {
			t.Errorf("%s: best %v, want %v", position, got.Best, want.Best)
		}
	}
}

// TestStrategyFusion checks that PIMC has its known weakness. With the highest card it gives a
// check and a bet the same value, because it assumes that the opponent sees the card and folds.
func TestStrategyFusion(t *testing.T) {
	g := gametest.New(t, poker.NewKuhn, "kuhn")
	full, err := search.NewMinimax(search.Options{Game: g.Open(), Eval: search.Zero(g), Depth: 4})
	_, r := ask(t, g, pimc(t, g, 20, full, err), "2 1")
	if len(r.Best) != 2 || r.Value != 1 {
		t.Errorf("%+v: want both moves, worth 1", r)
	}
}

// TestISMCTS checks that four variants do not play dominated moves in four positions of Kuhn poker,
// and that the values are those of the best line.
func TestISMCTS(t *testing.T) {
	g := gametest.New(t, poker.NewKuhn, "kuhn")
	for _, o := range []hidden.ISMCTS{{}, {Multiple: true}, {Rollouts: true}, {Multiple: true, Rollouts: true}} {
		o.Game, o.Eval, o.Simulations, o.Complete = g, search.Zero(g), 4000, true
		a := vectors.Must(hidden.NewISMCTS(o))
		for position, want := range map[string]struct {
			move  game.Move
			value float64
		}{"2 0 pb": {bet, 2}, "0 1 pb": {pass, -1}, "1 2 b": {bet, 2}, "2 0 b": {pass, -1}} {
			_, r := ask(t, g, a, position)
			if r.Move != want.move || math.Abs(r.Value-want.value) > 1e-9 || len(r.Root) != 2 || r.Depth < 1 {
				t.Errorf("%+v at %s: %+v, want move %d of value %v", o, position, r, want.move, want.value)
			}
		}
	}
}

// TestNoDecision checks that a finished position and a chance node have values but no move, and
// that a cancelled ISMCTS search still returns a move.
func TestNoDecision(t *testing.T) {
	g := gametest.New(t, poker.NewLeduc, "leduc")
	greedy, err := search.NewGreedy(search.Options{Game: g.Open(), Eval: search.Zero(g)})
	trees, bad := hidden.NewISMCTS(hidden.ISMCTS{Game: g, Eval: search.Zero(g), Simulations: 200})
	if bad != nil {
		t.Fatal(bad)
	}
	for _, a := range []search.Agent{pimc(t, g, 5, greedy, err), trees} {
		_, r := ask(t, g, a, "Ks Qh rf")
		if r.Move != game.NoMove || r.Values[0] != 1 || r.Values[1] != -1 || !r.Exact {
			t.Errorf("at the end: %+v", r)
		}
		_, r = ask(t, g, a, "Ks Qh rc")
		if r.Move != game.NoMove || len(r.Values) != 2 || r.Exact {
			t.Errorf("at a chance node: %+v", r)
		}
	}
	s := g.New()
	a := pimc(t, g, 5, greedy, nil)
	if r, err := a.Search(context.Background(), s); err != nil || r.Move != game.NoMove {
		t.Errorf("at the start: %+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, _ = g.Parse("Ks Qh r")
	if r, err := trees.Search(ctx, s); err != nil || r.Move == game.NoMove {
		t.Errorf("stopped at once: %+v, %v", r, err)
	}
}
