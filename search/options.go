package search

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/models"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
)

// Options are the options of all kinds of agents. The zero value of every field but Game and Eval
// is the default, and the defaults give exact answers. An option not listed for the agent's kind is
// an error; fields without a list serve all kinds. Of Depth, Nodes and Time, where the kind has
// them, one is required unless stated otherwise.
type Options struct {
	Game *game.Game // the world that the agent plays in
	Eval Evaluator  // of leaves; Zero(Game) knows nothing

	Leaf     models.Leaves     // the positions that Eval is made for; "" is models.Decision
	Assume   assume.Assumption // what the planner takes nature and others for; the zero value: an adversary to minimax and alphabeta, else chance
	Ties     Ties              // which of equally good moves is played
	Complete bool              // find all best moves (Result.Best); in Result.Root they are exact, where something is pruned others may stay bounds
	Observer Observer          // told of every node; nil: none. Needs one thread

	Depth int           `of:"minimax alphabeta expectimax maxn paranoid"` // decisions to search; 0: no limit
	Nodes int64         `of:"minimax alphabeta expectimax maxn paranoid"` // after which the search stops; 0: no limit
	Time  time.Duration `of:"minimax alphabeta expectimax maxn paranoid"` // after which it stops; 0: no limit

	Quiescence bool         `of:"minimax alphabeta expectimax"` // follow noisy moves beyond the horizon, where a game names them
	Iteration  func(Result) `of:"minimax alphabeta expectimax"` // told what is known after each depth, one by one; nil: none

	Order   Order            `of:"alphabeta expectimax"` // of moves; the zero value lets the search choose
	Table   int              `of:"alphabeta expectimax"` // megabytes of the transposition table; 0: the default, below 0: none
	Threads int              `of:"alphabeta expectimax"` // searching one position together; 0 and 1: one
	Fork    func() Evaluator `of:"alphabeta expectimax"` // makes one for another thread; wanted for several, but for Eval Zero(Game)

	Prune   Prune   `of:"alphabeta expectimax maxn paranoid"` // what is left out; values are the same, but with Selective
	MinProb float64 `of:"expectimax"`                         // chance nodes less probable than this are evaluated at once; 0: none. Inexact
	Samples int     `of:"expectimax"`                         // of nature's moves at a chance node, drawn; 0: all. Inexact
}

// config is what an agent keeps of its options.
type config struct {
	Options
	bound position.Options // what is known of its positions
}

// config takes the options of an agent of the kind named agent.
func (o Options) config(agent string) (config, error) {
	v := reflect.ValueOf(o)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if of := f.Tag.Get("of"); of != "" && !v.Field(i).IsZero() && !slices.Contains(strings.Fields(of), agent) {
			return config{}, fmt.Errorf("%s: no option %s: it is one of %s", agent, f.Name, strings.Join(strings.Fields(of), ", "))
		}
	}
	return config{o, position.Options{Game: o.Game, Eval: o.Eval, Nodes: o.Nodes, Time: o.Time, Leaf: o.Leaf, Assume: o.Assume,
		MinProb: o.MinProb, Samples: o.Samples}}, nil
}

// Order is how moves are ordered before they are searched.
type Order int8

const (
	Auto    Order = iota // table move, Ranker, killers, history
	Natural              // the game's own
)

// Prune is what a search may cut: alpha-beta where it may guess, expectimax at chance nodes, max^n
// and paranoid anywhere. Except with Selective, values stay those of the whole tree.
type Prune int8

const (
	PruneDefault Prune = iota // the best that is exact
	NoPrune
	Star1     // of expectimax: Ballard 1983
	Star2     // the same with probing
	Selective // of alpha-beta: moves that hardly ever matter are searched less deep, or not at all. Inexact
)

// Ties is how one of several equally good moves is chosen.
type Ties int8

const (
	First  Ties = iota // in the game's order; of certain wins and losses one of the shortest and the longest
	Random             // by the seed given to Begin
	Plain              // in the game's order, however long a win or loss takes: the textbook's
)

// validate checks a config for an agent of the kind named agent, for any position.
func (c *config) validate(agent string) error {
	if err := c.bound.Validate(agent); err != nil {
		return err
	}
	switch {
	case c.Depth < 0:
		return fmt.Errorf("%s: depth=%d: want a positive number of decisions", agent, c.Depth)
	case c.Depth == 0 && c.Nodes == 0 && c.Time == 0:
		return fmt.Errorf("%s: no limit: want at least one of depth, nodes and time", agent)
	}
	return nil
}

// validateFast checks what alpha-beta and expectimax alone have. Threads share a table. A search on a
// guess wants moves in order, and a table to scout with; an observer would see passes for moves.
func (c *config) validateFast(agent string) error {
	_, knowsNothing := c.Eval.(position.Zero)
	several, guesses := c.Threads > 1, c.Prune == Selective
	switch {
	case c.Threads < 0:
		return fmt.Errorf("%s: threads=%d: want a positive number", agent, c.Threads)
	case several && c.Fork == nil && !knowsNothing:
		return fmt.Errorf("%s: threads=%d: want an evaluation that can be forked", agent, c.Threads)
	case several && c.Assume.Kind == assume.Policy:
		return fmt.Errorf("%s: threads=%d: a policy is asked by one thread only", agent, c.Threads)
	case several && c.Observer != nil:
		return fmt.Errorf("%s: an observer needs one thread, not %d", agent, c.Threads)
	case several && c.Table < 0:
		return fmt.Errorf("%s: threads=%d: want a table, which they share", agent, c.Threads)
	case guesses && agent != "alphabeta", c.Prune > NoPrune && !guesses && agent == "alphabeta":
		return fmt.Errorf("%s: no such pruning", agent)
	case guesses && c.Table < 0:
		return fmt.Errorf("%s: prune=selective: want a table", agent)
	case guesses && c.Order == Natural:
		return fmt.Errorf("%s: prune=selective: want order=auto", agent)
	case guesses && c.Observer != nil:
		return fmt.Errorf("%s: prune=selective: an observer wants a search of all moves, prune=exact", agent)
	}
	return nil
}

// twoSided returns an error unless a game of this shape can be searched with one number a position:
// one player, or two with opposed utilities. One player planning against policies needs neither.
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
