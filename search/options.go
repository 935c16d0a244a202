package search

import (
	"fmt"
	"time"

	"plyfit/game"
	"plyfit/models"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
)

// The options of each kind of agent follow. The zero value of every field but Game
// and Eval is the default, and the defaults give exact answers. Where there are
// limits one of Depth, Nodes and Time is wanted, unless it says otherwise.

// Minimax are the options of [NewMinimax].
type Minimax struct {
	Game *game.Game // the world that the agent plays in
	Eval Evaluator  // of leaves; Zero(Game) knows nothing

	Depth int           // decisions to search; 0: no limit
	Nodes int64         // after which the search stops; 0: no limit
	Time  time.Duration // after which it stops; 0: no limit

	Leaf       models.Leaves     // the positions that Eval is made for; "" is models.Decision
	Assume     assume.Assumption // what the planner takes nature and others for; the zero value: an adversary
	Quiescence bool              // follow noisy moves beyond the horizon, where a game names them
	Ties       Ties              // which of equally good moves is played
	Complete   bool              // find all best moves (Result.Best); in Result.Root they are exact

	Observer  Observer     // told of every node; nil: nobody
	Iteration func(Result) // told what is known after each depth, one by one; nil: nobody
}

func (o Minimax) config() config {
	return config{Options: position.Options{Game: o.Game, Eval: o.Eval, Nodes: o.Nodes, Time: o.Time, Leaf: o.Leaf, Assume: o.Assume}, Depth: o.Depth,
		Quiescence: o.Quiescence, Ties: o.Ties, Complete: o.Complete, Observer: o.Observer, Iteration: o.Iteration}
}

// AlphaBeta are the options of [NewAlphaBeta].
type AlphaBeta struct {
	Game *game.Game // the world that the agent plays in
	Eval Evaluator  // of leaves; Zero(Game) knows nothing

	Depth int           // decisions to search; 0: no limit
	Nodes int64         // after which the search stops; 0: no limit
	Time  time.Duration // after which it stops; 0: no limit

	Leaf       models.Leaves     // the positions that Eval is made for; "" is models.Decision
	Assume     assume.Assumption // what the planner takes nature and others for; the zero value: an adversary
	Quiescence bool              // follow noisy moves beyond the horizon, where a game names them
	Ties       Ties              // which of equally good moves is played
	Complete   bool              // find all best moves (Result.Best); in Result.Root they are exact, others may stay bounds

	Order   Order            // of moves; the zero value lets the search choose
	Table   int              // megabytes of the transposition table; 0: the default, below 0: none
	Threads int              // searching one position together; 0 and 1: one
	Fork    func() Evaluator // makes one for another thread; wanted for several, but for Eval Zero(Game)

	Observer  Observer     // told of every node; nil: nobody. Needs one thread
	Iteration func(Result) // told what is known after each depth, one by one; nil: nobody
}

func (o AlphaBeta) config() config {
	return config{Options: position.Options{Game: o.Game, Eval: o.Eval, Nodes: o.Nodes, Time: o.Time, Leaf: o.Leaf, Assume: o.Assume}, Depth: o.Depth,
		Quiescence: o.Quiescence, Ties: o.Ties, Complete: o.Complete, Observer: o.Observer, Iteration: o.Iteration,
		Order: o.Order, Table: o.Table, Threads: o.Threads, Fork: o.Fork}
}

// Expectimax are the options of [NewExpectimax].
type Expectimax struct {
	Game *game.Game // the world that the agent plays in
	Eval Evaluator  // of leaves; Zero(Game) knows nothing

	Depth int           // decisions to search; 0: no limit
	Nodes int64         // after which the search stops; 0: no limit
	Time  time.Duration // after which it stops; 0: no limit

	Leaf       models.Leaves     // the positions that Eval is made for; "" is models.Decision
	Assume     assume.Assumption // what the planner takes nature and others for; the zero value: chance
	Quiescence bool              // follow noisy moves beyond the horizon, where a game names them
	Ties       Ties              // which of equally good moves is played
	Complete   bool              // find all best moves (Result.Best); in Result.Root they are exact, others may stay bounds

	Order   Order            // of moves; the zero value lets the search choose
	Table   int              // megabytes of the transposition table; 0: the default, below 0: none
	Threads int              // searching one position together; 0 and 1: one
	Fork    func() Evaluator // makes one for another thread; wanted for several, but for Eval Zero(Game)

	Prune   Prune   // what is left out; values are the same
	MinProb float64 // chance nodes less probable than this are evaluated at once; 0: none. Inexact
	Samples int     // of nature's moves at a chance node, drawn; 0: all. Inexact

	Observer  Observer     // told of every node; nil: nobody. Needs one thread
	Iteration func(Result) // told what is known after each depth, one by one; nil: nobody
}

func (o Expectimax) config() config {
	return config{Options: position.Options{Game: o.Game, Eval: o.Eval, Nodes: o.Nodes, Time: o.Time, Leaf: o.Leaf, Assume: o.Assume,
		MinProb: o.MinProb, Samples: o.Samples}, Depth: o.Depth,
		Quiescence: o.Quiescence, Ties: o.Ties, Complete: o.Complete, Observer: o.Observer, Iteration: o.Iteration,
		Order: o.Order, Table: o.Table, Threads: o.Threads, Fork: o.Fork, Prune: o.Prune}
}

// Many are the options of the agents for any number of players, [NewMaxN] and
// [NewParanoid]. Without a limit they search to the end of the game.
type Many struct {
	Game *game.Game // the world that the agent plays in
	Eval Evaluator  // of leaves; Zero(Game) knows nothing

	Depth int           // decisions to search; 0: no limit
	Nodes int64         // after which the search stops; 0: no limit
	Time  time.Duration // after which it stops; 0: no limit

	Leaf     models.Leaves     // the positions that Eval is made for; "" is models.Decision
	Assume   assume.Assumption // what the planner takes nature and others for; the zero value: chance
	Ties     Ties              // which of equally good moves is played
	Complete bool              // find all best moves (Result.Best); in Result.Root they are exact
	Whole    bool              // leave nothing out; values are the same

	Observer Observer // told of every node; nil: nobody
}

func (o Many) config() config {
	c := config{Options: position.Options{Game: o.Game, Eval: o.Eval, Nodes: o.Nodes, Time: o.Time, Leaf: o.Leaf, Assume: o.Assume}, Depth: o.Depth,
		Ties: o.Ties, Complete: o.Complete, Observer: o.Observer}
	if o.Whole {
		c.Prune = NoPrune
	}
	return c
}

// Greedy are the options of [NewGreedy].
type Greedy struct {
	Game *game.Game // the world that the agent plays in
	Eval Evaluator  // of the positions after its moves; Zero(Game) knows nothing

	Leaf     models.Leaves     // the positions that Eval is made for; "" is models.Decision
	Assume   assume.Assumption // what the planner takes nature and others for; the zero value: chance
	Ties     Ties              // which of equally good moves is played
	Complete bool              // find all best moves (Result.Best)

	Observer Observer // told of every node; nil: nobody
}

func (o Greedy) config() config {
	return config{Options: position.Options{Game: o.Game, Eval: o.Eval, Leaf: o.Leaf, Assume: o.Assume}, Ties: o.Ties, Complete: o.Complete, Observer: o.Observer}
}

// config is what the agents keep of their options, whatever their kind: zero where
// the kind has none.
type config struct {
	position.Options

	Depth      int
	Order      Order
	Table      int
	Prune      Prune
	Quiescence bool
	Threads    int
	Fork       func() Evaluator
	Ties       Ties
	Complete   bool
	Observer   Observer
	Iteration  func(Result)
}

// Order is how moves are ordered before they are searched.
type Order int8

const (
	Auto    Order = iota // table move, Ranker, killers, history
	Natural              // the game's own
)

// Prune is what a search may cut at chance nodes; values stay those of plain
// expectimax.
type Prune int8

const (
	PruneDefault Prune = iota // the best that is exact
	NoPrune
	Star1 // Ballard 1983
	Star2 // the same with probing
)

// Ties is how one of several equally good moves is chosen.
type Ties int8

const (
	First  Ties = iota // in the game's order
	Random             // by the seed given to Begin
)

// validate says what is wrong with a config for an agent of the kind named
// agent, whatever position it will be asked about.
func (c *config) validate(agent string) error {
	if err := c.Options.Validate(agent); err != nil {
		return err
	}
	switch {
	case c.Depth < 0:
		return fmt.Errorf("%s: depth=%d: want a positive number of decisions", agent, c.Depth)
	case c.Depth == 0 && c.Nodes == 0 && c.Time == 0:
		return fmt.Errorf("%s: no limit: want at least one of depth, nodes and time", agent)
	}
	return c.validateThreads(agent)
}

func (c *config) validateThreads(agent string) error {
	switch {
	case c.Threads < 0:
		return fmt.Errorf("%s: threads=%d: want a positive number", agent, c.Threads)
	case c.Threads <= 1:
		return nil
	case c.Fork == nil && !knowsNothing(c.Eval):
		return fmt.Errorf("%s: threads=%d: want an evaluation that can be forked", agent, c.Threads)
	case c.Assume.Kind == assume.Policy:
		return fmt.Errorf("%s: threads=%d: a policy is asked by one thread only", agent, c.Threads)
	case c.Observer != nil:
		return fmt.Errorf("%s: an observer needs one thread, not %d", agent, c.Threads)
	}
	return nil
}

func knowsNothing(e any) bool {
	_, ok := e.(position.Zero)
	return ok
}

// twoSided reports whether a game of this shape can be searched with one number
// a position: one player, or two of whom one gets what the other loses. Else
// the error says so. One player planning against policies needs neither.
func twoSided(agent string, g *game.Game, sh game.Shape, policy bool) error {
	switch {
	case policy || sh.Players == 1:
		return nil
	case sh.Players > 2:
		return fmt.Errorf("%s: %s has %d players: want at most 2 (maxn takes more)", agent, g.Spec, sh.Players)
	case sh.Sum == game.General:
		return fmt.Errorf("%s: %s has a general sum: want a zero or constant sum (maxn takes any)", agent, g.Spec)
	}
	return nil
}
