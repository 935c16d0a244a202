package mcts_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/searchtest"
	"plyfit/search/mcts"
	"plyfit/search/policy"
)

// TestMCTSAgainstAPolicy: the other player's and nature's decisions are drawn
// as the policy has them, those that it never takes not at all.
func TestMCTSAgainstAPolicy(t *testing.T) {
	seeds := uint64(15)
	if testing.Short() {
		seeds = 3
	}
	for _, sh := range []searchtest.Shape{{Players: 2, Sum: game.Zero, Chance: .2, Height: 4}, {Players: 1, Sum: game.General, Chance: .5, Height: 4}} {
		for seed := range seeds {
			root := sh.Grow(rand.New(rand.NewPCG(seed, 15)))
			root.Turn = 0
			g := sh.Game(root)
			minimax := searchtest.Made(t, searchtest.MinimaxOf, search.Options{Game: searchtest.HostileGame(t, g), Eval: searchtest.SprigEval{}, Depth: 2})
			ghost, err := policy.NewMix([]float64{.8, .2}, []game.Policy{policy.FromAgent(minimax, g), policy.Uniform{}})
			if err != nil {
				t.Fatal(err)
			}
			for name, p := range map[string]game.Policy{"ghost": ghost, "minimax": policy.FromAgent(minimax, g)} {
				cfg := search.Options{Game: g, Eval: searchtest.SprigEval{}, Assume: assume.Assumption{Kind: assume.Policy, Policy: p}}
				cfg.Depth = 50
				want := searchtest.Search(t, searchtest.Made(t, search.NewExpectimax, cfg), g.New())
				r := searchtest.Search(t, searchtest.Made(t, searchtest.MctsOf(mcts.Options{Simulations: 100000}), cfg), g.New())
				if math.Abs(r.Value-want.Value) > 0.2 || r.Exact && !searchtest.Near(r.Value, want.Value) {
					t.Errorf("%+v, seed %d, %s: %v (exact %v); want %v", sh, seed, name, r.Value, r.Exact, want.Value)
				}
			}
		}
	}
}
