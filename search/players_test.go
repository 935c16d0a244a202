package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
	rules2048 "plyfit/game/2048"
	"plyfit/game/connect4"
	"plyfit/game/gametest"
	"plyfit/game/pig"
	"plyfit/game/tictactoe"
	"plyfit/game/tree"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/searchtest"
	"plyfit/search/mcts"
	"plyfit/search/policy"
)

// TestWholeTreesArePruned checks that max^n prunes a search to the end of the game. At the end of
// the game utilities sum to zero, so shallow pruning applies.
func TestWholeTreesArePruned(t *testing.T) {
	wood := gametest.New(t, tree.New, "tree")
	// At the second node the second player can get 9, and the third player gets at least -5
	// everywhere. The first player therefore gets at most -4 there, but already has 4.
	s := vectors.Must(wood.Parse("(p0 <4,-2,-2> (p1 <-6,9,-3> <2,3,-5> <-8,10,-2>))"))
	r := searchtest.SearchOnce(t, searchtest.MaxNOf, search.Options{Game: wood, Eval: search.Zero(wood)}, s)
	if r.Nodes != 4 || r.Stats.BetaCuts == 0 || !r.Exact || r.Root[1] != (search.RootMove{1, -4, search.Upper}) || !searchtest.AllNear(r.Values, []float64{4, -2, -2}) {
		t.Errorf("%+v", r)
	}
}

// TestPlannedSlips compares searches with brute force in worlds with slips. A policy for nature
// must not affect how a move slips, and the depth must count only decisions.
func TestPlannedSlips(t *testing.T) {
	for seed := range uint64(40) {
		sh := searchtest.Shape{Players: 1, Sum: game.General, Chance: .4, Height: 5}
		g := vectors.Must(game.WithSlip(sh.Game(sh.Grow(rand.New(rand.NewPCG(seed, 43)))), .2))
		rule := searchtest.Rule{Game: g, Eval: searchtest.SprigEval{}, Draw: func(s game.State, moves []game.Move) []float64 {
			if _, pending := s.(*game.Slip).Intended(); pending {
				return searchtest.Averages(s, moves)
			}
			return searchtest.Uniform(s, moves) // the policy draws uniformly
		}}
		for depth := 1; depth <= 3; depth++ {
			want := rule.Value(g.New(), depth)
			for name, make := range map[string]func(search.Options) (search.Agent, error){"maxn": searchtest.MaxNOf, "expectimax": search.NewExpectimax} {
				if r := searchtest.SearchOnce(t, make, search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: depth, Assume: assume.Assumption{Kind: assume.Policy, Policy: policy.Uniform{}}}, g.New()); !searchtest.Near(r.Value, want) {
					t.Fatalf("%s, seed %d, depth %d: %v; want %v", name, seed, depth, r.Value, want)
				}
			}
		}
	}
}

// realGames returns some games, each of them without and with slips and, if possible, with an
// adversary.
func realGames(t *testing.T) (games []*game.Game) {
	t.Helper()
	for _, c := range []struct {
		rules func(*game.Options) (*game.Game, error)
		spec  string
	}{
		{tree.New, "tree"}, {connect4.New, "connect4"}, {tictactoe.New, "tictactoe"}, {pig.New, "pig:target=30"},
		{pig.New, "pig:target=30,players=3"}, {rules2048.New, "2048:size=3"},
	} {
		g := gametest.New(t, c.rules, c.spec)
		slippery := vectors.Must(game.WithSlip(g, .1))
		games = append(games, g, slippery)
		if hostile, err := game.WithAdversary(g); err == nil {
			games = append(games, hostile)
		}
	}
	return games
}

// TestAllAgents lets several agents that support any number of players search the positions of a
// random game in each world, at most 40 of them. It checks that moves are legal, that values agree
// with each other and, except in trees, lie inside the bounds. The position must be restored. A
// repeated search must return the same result, unless it has a time limit.
func TestAllAgents(t *testing.T) {
	for _, g := range realGames(t) {
		eval, depth := search.Zero(g), 2
		if g.Name == "2048" {
			depth = 1 // the game has many moves at its chance nodes
		}
		drawn := vectors.Must(policy.NewMix([]float64{.5, .5}, []game.Policy{policy.Uniform{}, policy.FromAgent(searchtest.MustAgent(t, searchtest.GreedyOf, search.Options{Game: g, Eval: eval}), g)}))
		agents := map[string]search.Agent{"sampler": policy.NewSampler(drawn)}
		for name, make := range map[string]func(search.Options) (search.Agent, error){"random": searchtest.RandomOf, "greedy": searchtest.GreedyOf, "maxn": searchtest.MaxNOf, "paranoid": searchtest.ParanoidOf, "mcts": searchtest.MctsOf(mcts.Options{Simulations: 60}),
			"mcts with rollouts": searchtest.MctsOf(mcts.Options{Simulations: 60, Rollout: policy.Uniform{}})} {
			agents[name] = searchtest.MustAgent(t, make, search.Options{Game: g, Eval: eval, Depth: depth, Ties: search.Random, Complete: true})
			agents[name+" in a hurry"] = searchtest.MustAgent(t, make, search.Options{Game: g, Eval: eval, Time: 1})
		}
		agents["mixture"] = vectors.Must(policy.NewMixAgent([]float64{.5, .5}, []search.Agent{agents["greedy"], agents["random"]}))
		random := rand.New(rand.NewPCG(1, 44))
		s := g.New()
		for range 40 {
			turn, moves := s.Turn(), s.Moves(nil)
			for name, a := range agents {
				r := searchtest.Search(t, a, s)
				what := fmt.Sprintf("%s in %s at %s: %+v", name, g.Spec, s, r)
				if (turn >= 0) != slices.Contains(moves, r.Move) || turn < 0 && r.Move != game.NoMove {
					t.Fatalf("not a legal move: %s", what)
				}
				if len(r.PV) > 0 && turn >= 0 && r.PV[0] != r.Move {
					t.Fatalf("another line: %s", what)
				}
				for p, v := range r.Values {
					if !(v >= g.Min && v <= g.Max) && g.Name != "tree" {
						t.Fatalf("player %d's value out of bounds: %s", p, what)
					}
				}
				if r.Values != nil && math.Abs(r.Values[max(turn, 0)]-r.Value) > 1e-9*math.Max(1, math.Abs(r.Value)) {
					t.Fatalf("the mover's value is another: %s", what)
				}
				if turn == game.Nobody && r.Values != nil && (r.Value != s.Utility(0) || !r.Exact || len(r.PV) > 0) {
					t.Fatalf("not the end's value: %s", what)
				}
				if strings.HasSuffix(name, "hurry") {
					continue
				}
				again := searchtest.Search(t, a, s)
				r.Elapsed, again.Elapsed = 0, 0
				if !reflect.DeepEqual(r, again) {
					t.Fatalf("%s; then %+v", what, again)
				}
			}
			if turn == game.Nobody {
				break
			}
			s.Play(moves[random.IntN(len(moves))])
		}
	}
}

// TestMaxNTies checks that a tie between averages that differ only by rounding goes to the first
// child, with and without pruning. For example, .2*3 + .8*3 must not be treated as greater than 3.
func TestMaxNTies(t *testing.T) {
	for tree, want := range map[string][]float64{
		"(p0 (p1 (p0 (p0 <3,3,2,3>) (p0 <2,-3,0,1>) (chance 1/5 <3,3,0,2> 4/5 <3,0,-3,-1>)) (p1 (p2 <-3,1,-2,-3> <0,3,1,1>) (p1 <2,-3,2,-2>)) " +
			"(chance 2/4 (chance 4/8 <-3,2,2,-2> 2/8 <1,-3,0,-1> 2/8 <-3,-1,0,3>) 2/4 (p2 <2,3,-2,0>))))": {3, 3, 2, 3},
		"(p0 <3,1,0> (chance 1/5 <3,0,1> 4/5 <3,0,1>))":                                {3, 1, 0},
		"(p1 (p0 <1,3,1> (chance 1/5 <3,0,1> 4/5 <1,0,1>) <1.4,2,2>) <0,1,0>)":         {0, 1, 0},
		"(p0 (chance 7/10 <1,1,0> 2/10 <1,1,0> 1/10 <1,1,0>) <1,0,5>)":                 {1, 1, 0},
		"(p2 (chance 7/10 <0,1,-1> 2/10 <0,1,-1> 1/10 <0,1,-1>) <5,0,-1> <6,0,-0.99>)": {6, 0, -0.99},
	} {
		g := world(t, "tree")
		for _, prune := range []search.Prune{search.PruneDefault, search.NoPrune} {
			r := searchtest.SearchOnce(t, searchtest.MaxNOf, search.Options{Game: g, Eval: search.Zero(g), Depth: 6, Prune: prune}, vectors.Must(g.Parse(tree)))
			if !searchtest.AllNear(r.Values, want) {
				t.Errorf("%s, prune %v: %v, want %v", tree, prune, r.Values, want)
			}
		}
	}
}
