// Package searchtest is what the tests of the searches share: agents of every kind
// by one set of options, and random trees with their values by brute force.
package searchtest

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/mcts"
	"plyfit/search/policy"
)

// Settings are the options of all kinds of agents in one, so that a test can ask
// the same of each. A kind takes those that it has.
type Settings struct {
	Game       *game.Game
	Eval       search.Evaluator
	Depth      int
	Nodes      int64
	Time       time.Duration
	Leaf       models.Leaves
	Assume     assume.Assumption
	Order      search.Order
	Table      int
	Prune      search.Prune
	Quiescence bool
	Threads    int
	Fork       func() search.Evaluator
	Ties       search.Ties
	Complete   bool
	MinProb    float64
	Samples    int
	Observer   search.Observer
	Iteration  func(search.Result)
	MCTS       mcts.Options
}

func MinimaxOf(c Settings) (search.Agent, error) {
	return search.NewMinimax(search.Minimax{Game: c.Game, Eval: c.Eval, Depth: c.Depth, Nodes: c.Nodes, Time: c.Time, Leaf: c.Leaf,
		Assume: c.Assume, Quiescence: c.Quiescence, Ties: c.Ties, Complete: c.Complete, Observer: c.Observer, Iteration: c.Iteration})
}

func AlphaBetaOf(c Settings) (search.Agent, error) {
	return search.NewAlphaBeta(search.AlphaBeta{Game: c.Game, Eval: c.Eval, Depth: c.Depth, Nodes: c.Nodes, Time: c.Time, Leaf: c.Leaf,
		Assume: c.Assume, Quiescence: c.Quiescence, Ties: c.Ties, Complete: c.Complete, Observer: c.Observer, Iteration: c.Iteration,
		Order: c.Order, Table: c.Table, Threads: c.Threads, Fork: c.Fork})
}

func ExpectimaxOf(c Settings) (search.Agent, error) {
	return search.NewExpectimax(search.Expectimax{Game: c.Game, Eval: c.Eval, Depth: c.Depth, Nodes: c.Nodes, Time: c.Time, Leaf: c.Leaf,
		Assume: c.Assume, Quiescence: c.Quiescence, Ties: c.Ties, Complete: c.Complete, Observer: c.Observer, Iteration: c.Iteration,
		Order: c.Order, Table: c.Table, Threads: c.Threads, Fork: c.Fork, Prune: c.Prune, MinProb: c.MinProb, Samples: c.Samples})
}

func (c Settings) many() search.Many {
	return search.Many{Game: c.Game, Eval: c.Eval, Depth: c.Depth, Nodes: c.Nodes, Time: c.Time, Leaf: c.Leaf,
		Assume: c.Assume, Ties: c.Ties, Complete: c.Complete, Whole: c.Prune == search.NoPrune, Observer: c.Observer}
}

func MaxNOf(c Settings) (search.Agent, error)     { return search.NewMaxN(c.many()) }
func ParanoidOf(c Settings) (search.Agent, error) { return search.NewParanoid(c.many()) }

func GreedyOf(c Settings) (search.Agent, error) {
	return search.NewGreedy(search.Greedy{Game: c.Game, Eval: c.Eval, Leaf: c.Leaf, Assume: c.Assume, Ties: c.Ties, Complete: c.Complete, Observer: c.Observer})
}

func MctsOf(c Settings) (search.Agent, error) {
	o := c.MCTS
	o.Game, o.Eval, o.Nodes, o.Time, o.Leaf = c.Game, c.Eval, c.Nodes, c.Time, c.Leaf
	o.Assume, o.Ties, o.Complete = c.Assume, c.Ties, c.Complete
	return mcts.New(o)
}

func RandomOf(Settings) (search.Agent, error) { return policy.NewRandom(), nil }

// Near reports whether a and b are equal but for rounding.
func Near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(1, math.Abs(b)) }

func AllNear(a, b []float64) bool { return slices.EqualFunc(a, b, Near) }

// Made is an agent, or the end of the test.
func Made(t *testing.T, make func(Settings) (search.Agent, error), c Settings) search.Agent {
	t.Helper()
	a, err := make(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Search asks a for its answer, and that it leave s as it found it.
func Search(t *testing.T, a search.Agent, s game.State) search.Result {
	t.Helper()
	text, hash := s.String(), s.Hash()
	a.Begin(7)
	r, err := a.Search(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if s.String() != text || s.Hash() != hash {
		t.Fatalf("the search changed %s to %s", text, s)
	}
	return r
}
