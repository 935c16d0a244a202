// Package searchtest contains helpers for tests of searches. It creates several kinds of agents
// from a single set of options, and random trees with values computed by brute force.
package searchtest

import (
	"context"
	"math"
	"slices"
	"testing"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/mcts"
	"plyfit/search/policy"
)

// plain clears the options that only alpha-beta and expectimax accept.
func plain(o search.Options) search.Options {
	o.Order, o.Table, o.Threads, o.Fork, o.MinProb, o.Samples = 0, 0, 0, nil, 0, 0
	return o
}

// many clears the options not accepted by planners that support any number of players.
func many(o search.Options) search.Options {
	o = plain(o)
	o.Quiescence, o.Iteration = false, nil
	if o.Prune != search.NoPrune {
		o.Prune = search.PruneDefault
	}
	return o
}

func MinimaxOf(o search.Options) (search.Agent, error) {
	o = plain(o)
	o.Prune = 0
	return search.NewMinimax(o)
}

func AlphaBetaOf(o search.Options) (search.Agent, error) {
	o.Prune, o.MinProb, o.Samples = 0, 0, 0
	return search.NewAlphaBeta(o)
}

func MaxNOf(o search.Options) (search.Agent, error)     { return search.NewMaxN(many(o)) }
func ParanoidOf(o search.Options) (search.Agent, error) { return search.NewParanoid(many(o)) }

func GreedyOf(o search.Options) (search.Agent, error) {
	o = many(o)
	o.Depth, o.Nodes, o.Time, o.Prune = 0, 0, 0, 0
	return search.NewGreedy(o)
}

// MctsOf returns a constructor for agents that use the options o, such as Simulations and
// Exploration.
func MctsOf(o mcts.Options) func(search.Options) (search.Agent, error) {
	return func(c search.Options) (search.Agent, error) {
		o := o
		o.Game, o.Eval, o.Nodes, o.Time, o.Leaf = c.Game, c.Eval, c.Nodes, c.Time, c.Leaf
		o.Assume, o.Ties, o.Complete = c.Assume, c.Ties, c.Complete
		return mcts.New(o)
	}
}

func RandomOf(search.Options) (search.Agent, error) { return policy.NewRandom(), nil }

// Near reports whether a and b are equal up to rounding.
func Near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(1, math.Abs(b)) }

func AllNear(a, b []float64) bool { return slices.EqualFunc(a, b, Near) }

// MustAgent returns an agent created by make. It ends the test if the agent cannot be created.
func MustAgent(t testing.TB, make func(search.Options) (search.Agent, error), c search.Options) search.Agent {
	t.Helper()
	a, err := make(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Search returns the result of the agent a at s. It checks that the search leaves s unchanged.
func Search(t testing.TB, a search.Agent, s game.State) search.Result {
	t.Helper()
	return Seeded(t, a, 7, s)
}

// Seeded is like [Search] but begins an episode with the given seed.
func Seeded(t testing.TB, a search.Agent, seed uint64, s game.State) search.Result {
	t.Helper()
	a.Begin(seed)
	return Again(t, a, s)
}

// Again is like [Search] but stays in the current episode, so that tables keep their contents.
func Again(t testing.TB, a search.Agent, s game.State) search.Result {
	t.Helper()
	text, hash := s.String(), s.Hash()
	r, err := a.Search(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if s.String() != text || s.Hash() != hash {
		t.Fatalf("the search changed %s to %s", text, s)
	}
	return r
}

// SearchOnce creates an agent and returns its result at s.
func SearchOnce(t testing.TB, make func(search.Options) (search.Agent, error), c search.Options, s game.State) search.Result {
	t.Helper()
	return Search(t, MustAgent(t, make, c), s)
}
