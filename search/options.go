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

// Options contains the options of all kinds of agents. Except for Game and Eval, zero fields select
// defaults, which give exact answers. It is an error to set an option that does not apply to the
// agent's kind. A field's tag lists the kinds to which the field applies. Fields without a tag
// apply to all kinds. If a kind supports the limits Depth, Nodes and Time, at least one of them is
// required unless stated otherwise.
type Options struct {
	Game *game.Game // the world in which the agent plays
	Eval Evaluator  // evaluates leaves; Zero(Game) uses no knowledge of the game

	Leaf     models.Leaves     // kind of positions for which Eval was made; "" means models.Decision
	Assume   assume.Assumption // model of nature and the other players; the default is an adversary for minimax and alphabeta, otherwise chance
	Ties     Ties              // rule for choosing between equally good moves
	Complete bool              // find all best moves (Result.Best) with exact values; with pruning, the values of other root moves may be bounds
	Observer Observer          // receives every node; nil means none; requires a single thread

	Depth int           `of:"minimax alphabeta expectimax maxn paranoid"` // decisions to search; 0 means no limit
	Nodes int64         `of:"minimax alphabeta expectimax maxn paranoid"` // number of nodes to search; 0 means no limit
	Time  time.Duration `of:"minimax alphabeta expectimax maxn paranoid"` // duration of the search; 0 means no limit

	Quiescence bool         `of:"minimax alphabeta expectimax"` // follow noisy moves beyond the horizon, if the game defines them
	Iteration  func(Result) `of:"minimax alphabeta expectimax"` // called with the result of each depth, never concurrently; may be nil

	Order   Order            `of:"alphabeta expectimax"` // order in which moves are searched; the zero value lets the search choose
	Table   int              `of:"alphabeta expectimax"` // size of the transposition table in MB; 0 means the default, a negative value means no table
	Threads int              `of:"alphabeta expectimax"` // number of threads that search a position together; 0 means 1
	Fork    func() Evaluator `of:"alphabeta expectimax"` // returns an evaluation for an additional thread; required with several threads unless Eval is Zero(Game)

	Prune   Prune   `of:"alphabeta expectimax maxn paranoid"` // pruning method; changes values only if Selective
	MinProb float64 `of:"expectimax"`                         // chance nodes with a lower probability are evaluated without a search; 0 disables this; not exact
	Samples int     `of:"expectimax"`                         // number of nature's moves sampled at a chance node; 0 means all moves; not exact
}

// config contains the options that an agent keeps.
type config struct {
	Options
	bound position.Options // options of its positions
}

// config checks that all options that are set apply to the given kind of agent, and returns the
// configuration.
func (o Options) config(agent string) (config, error) {
	v := reflect.ValueOf(o)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if of := f.Tag.Get("of"); of != "" && !v.Field(i).IsZero() && !slices.Contains(strings.Fields(of), agent) {
			return config{}, fmt.Errorf("%s: option %s does not apply; use the option only with %s", agent, f.Name, strings.Join(strings.Fields(of), ", "))
		}
	}
	return config{o, position.Options{Game: o.Game, Eval: o.Eval, Nodes: o.Nodes, Time: o.Time, Leaf: o.Leaf, Assume: o.Assume,
		MinProb: o.MinProb, Samples: o.Samples}}, nil
}

// Order selects the order in which moves are searched.
type Order int8

const (
	Auto    Order = iota // table's move first, then by Ranker, killers and history
	Natural              // the game's own order
)

// Prune selects the pruning method. Alpha-beta can make unproven cuts, expectimax can prune chance
// nodes in different ways, and max^n and paranoid can disable pruning. Except with Selective,
// values are the same as in a search of the whole tree.
type Prune int8

const (
	PruneDefault Prune = iota // the best exact method
	NoPrune
	Star1     // for expectimax; Ballard 1983
	Star2     // for expectimax; Star1 with probing
	Selective // for alpha-beta: moves that rarely matter are searched less deeply or not at all; not exact
)

// Ties selects how the agent chooses between equally good moves.
type Ties int8

const (
	First  Ties = iota // the first in the game's order, but among certain wins the shortest and among certain losses the longest
	Random             // drawn at random from the seed given to Begin
	Plain              // the first in the game's order, as in a textbook, regardless of the length of a win or loss
)

// validate checks c for the given kind of agent. The checks do not depend on the position.
func (c *config) validate(agent string) error {
	if err := c.bound.Validate(agent); err != nil {
		return err
	}
	switch {
	case c.Depth < 0:
		return fmt.Errorf("%s: depth=%d: want a positive number of decisions", agent, c.Depth)
	case c.Depth == 0 && c.Nodes == 0 && c.Time == 0:
		return fmt.Errorf("%s: the search has no limit; want at least one of depth, nodes and time", agent)
	}
	return nil
}

// validateFast checks the options that only alpha-beta and expectimax have. Several threads require
// a table, through which they communicate. Selective search requires ordered moves and a table. It
// cannot have an observer, which would mistake its passes for moves.
func (c *config) validateFast(agent string) error {
	_, knowsNothing := c.Eval.(position.Zero)
	several, guesses := c.Threads > 1, c.Prune == Selective
	switch {
	case c.Threads < 0:
		return fmt.Errorf("%s: threads=%d: want a positive number", agent, c.Threads)
	case several && c.Fork == nil && !knowsNothing:
		return fmt.Errorf("%s: threads=%d: want an evaluation that can be forked", agent, c.Threads)
	case several && c.Assume.Kind == assume.Policy:
		return fmt.Errorf("%s: threads=%d: an assumed policy requires a single thread", agent, c.Threads)
	case several && c.Observer != nil:
		return fmt.Errorf("%s: an observer requires a single thread, not %d", agent, c.Threads)
	case several && c.Table < 0:
		return fmt.Errorf("%s: threads=%d: threads need a table to share", agent, c.Threads)
	case guesses && agent != "alphabeta", c.Prune > NoPrune && !guesses && agent == "alphabeta":
		return fmt.Errorf("%s: no such pruning", agent)
	case guesses && c.Table < 0:
		return fmt.Errorf("%s: prune=selective: want a table", agent)
	case guesses && c.Order == Natural:
		return fmt.Errorf("%s: prune=selective: want order=auto", agent)
	case guesses && c.Observer != nil:
		return fmt.Errorf("%s: prune=selective: an observer needs all moves to be searched; use prune=exact", agent)
	}
	return nil
}

// twoSided returns an error unless a search with one value per position is possible for games of
// this shape. This requires a single-player game, a two-player game with opposed utilities, or a
// policy for all other players.
func twoSided(agent string, g *game.Game, sh game.Shape, policy bool) error {
	switch {
	case policy || sh.Players == 1:
		return nil
	case sh.Players > 2:
		return fmt.Errorf("%s: %s has %d players; want at most 2 (maxn supports more)", agent, g.Spec, sh.Players)
	case sh.Sum == game.General:
		return fmt.Errorf("%s: %s is a general-sum game; want a zero-sum or constant-sum game (maxn supports any)", agent, g.Spec)
	}
	return nil
}
