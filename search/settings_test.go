package search

import (
	"time"

	"plyfit/game"
	"plyfit/models"
)

// settings are the options of all kinds of agents in one, so that a test can ask
// the same of each. A kind takes those that it has.
type settings struct {
	Game       *game.Game
	Eval       Evaluator
	Depth      int
	Nodes      int64
	Time       time.Duration
	Leaf       models.Leaves
	Assume     Assume
	Order      Order
	Table      int
	Prune      Prune
	Quiescence bool
	Threads    int
	Fork       func() Evaluator
	Ties       Ties
	Complete   bool
	MinProb    float64
	Samples    int
	Observer   Observer
	Iteration  func(Result)
	MCTS       MCTS
}

func minimaxOf(c settings) (Agent, error) {
	return NewMinimax(Minimax{Game: c.Game, Eval: c.Eval, Depth: c.Depth, Nodes: c.Nodes, Time: c.Time, Leaf: c.Leaf,
		Assume: c.Assume, Quiescence: c.Quiescence, Ties: c.Ties, Complete: c.Complete, Observer: c.Observer, Iteration: c.Iteration})
}

func alphaBetaOf(c settings) (Agent, error) {
	return NewAlphaBeta(AlphaBeta{Game: c.Game, Eval: c.Eval, Depth: c.Depth, Nodes: c.Nodes, Time: c.Time, Leaf: c.Leaf,
		Assume: c.Assume, Quiescence: c.Quiescence, Ties: c.Ties, Complete: c.Complete, Observer: c.Observer, Iteration: c.Iteration,
		Order: c.Order, Table: c.Table, Threads: c.Threads, Fork: c.Fork})
}

func expectimaxOf(c settings) (Agent, error) {
	return NewExpectimax(Expectimax{Game: c.Game, Eval: c.Eval, Depth: c.Depth, Nodes: c.Nodes, Time: c.Time, Leaf: c.Leaf,
		Assume: c.Assume, Quiescence: c.Quiescence, Ties: c.Ties, Complete: c.Complete, Observer: c.Observer, Iteration: c.Iteration,
		Order: c.Order, Table: c.Table, Threads: c.Threads, Fork: c.Fork, Prune: c.Prune, MinProb: c.MinProb, Samples: c.Samples})
}

func (c settings) many() Many {
	return Many{Game: c.Game, Eval: c.Eval, Depth: c.Depth, Nodes: c.Nodes, Time: c.Time, Leaf: c.Leaf,
		Assume: c.Assume, Ties: c.Ties, Complete: c.Complete, Whole: c.Prune == NoPrune, Observer: c.Observer}
}

func maxNOf(c settings) (Agent, error)     { return NewMaxN(c.many()) }
func paranoidOf(c settings) (Agent, error) { return NewParanoid(c.many()) }

func greedyOf(c settings) (Agent, error) {
	return NewGreedy(Greedy{Game: c.Game, Eval: c.Eval, Leaf: c.Leaf, Assume: c.Assume, Ties: c.Ties, Complete: c.Complete, Observer: c.Observer})
}

func mctsOf(c settings) (Agent, error) {
	o := c.MCTS
	o.Game, o.Eval, o.Nodes, o.Time, o.Leaf = c.Game, c.Eval, c.Nodes, c.Time, c.Leaf
	o.Assume, o.Ties, o.Complete = c.Assume, c.Ties, c.Complete
	return NewMCTS(o)
}

func randomOf(settings) (Agent, error) { return NewRandom(), nil }
