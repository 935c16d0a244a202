package search

import (
	"time"

	"plyfit/game"
	"plyfit/models"
)

// Config says what an agent plays, how far it looks and what it may use. The
// zero value of every field but Game and Eval is the default, which gives
// exact answers.
type Config struct {
	Game *game.Game // the world that the agent plays in
	Eval Evaluator  // judges leaves; Zero(Game) knows nothing

	Depth int           // decisions to look ahead; 0: no limit of depth, so another is wanted
	Nodes int64         // nodes after which the search stops; 0: no limit
	Time  time.Duration // after which it stops; 0: no limit

	Leaf   models.Leaves // which positions Eval is made for; "" is models.Decision
	Assume Assume        // what the planner takes nature and others for

	Order      Order // of moves; the zero value lets the search choose
	Table      int   // megabytes of the transposition table; 0: the default, below 0: none
	Prune      Prune // at chance nodes
	Quiescence bool  // follow noisy moves beyond the last decision, where a game names them
	Threads    int   // searching one position together; 0 and 1: one
	// Fork makes an evaluator for another thread. Threads above 1 want it, but
	// for Eval Zero(Game).
	Fork     func() Evaluator
	Ties     Ties    // which of equally good moves is played
	Complete bool    // find all best moves (Result.Best); in Result.Root they are exact, the others may stay bounds
	MinProb  float64 // chance nodes less probable than this are evaluated at once; 0: none. Inexact
	Samples  int     // of nature's moves at a chance node, drawn; 0: all. Inexact

	Observer Observer // told of every node; nil: nobody. Needs one thread
	// Iteration is told, while minimax, alpha-beta or expectimax search, what
	// they know after each depth; nil: nobody. They then deepen one by one.
	Iteration func(Result)

	MCTS MCTS // of Monte Carlo tree search alone
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

// Assume is what a planner takes the world for. The zero value is the
// planner's own: minimax and alpha-beta plan against an adversary, expectimax
// with nature's probabilities.
type Assume struct {
	Kind   AssumeKind
	Policy game.Policy // of AssumePolicy
}

// AssumeKind says who moves at nature's nodes in the planner's mind.
type AssumeKind int8

const (
	AssumeDefault   AssumeKind = iota // as the planner's kind has it
	AssumeChance                      // nature by its probabilities, whoever makes its moves in the world
	AssumeAdversary                   // the opponent of Chancer.For at every chance node, slips too
	AssumeWorld                       // as the world is: an adversary in an adversarial one, chance elsewhere
	AssumeUniform                     // nature draws uniformly from its moves
	AssumeBase                        // as if there were no slip; the rest as the planner's kind has it
	// AssumePolicy: in games of one nature's moves, in games of more the other
	// players' moves follow Policy (nature then keeps its probabilities).
	AssumePolicy
)

// plan is the position to search in place of s, the world's, and what nature is
// there. It works on s itself, not on a copy: wrappers that the planner does
// not see are taken off, so that the search pays nothing for them, and an
// adversary's node is a chance node again. At a slip's pending node a planner
// that knows no slip sees the intended move made; undo takes that back, and is
// to be called when the search is over.
func (a Assume) plan(s game.State, planner AssumeKind) (planned game.State, nature natureKind, undo func()) {
	undo = func() {}
	kind := a.Kind
	if kind == AssumeDefault || kind == AssumeBase {
		kind = planner
	}
	_, hostile := game.As[*game.Adversary](s)
	if kind == AssumeWorld {
		kind = AssumeChance
		if hostile {
			kind = AssumeAdversary
		}
	}
	if hostile {
		s = game.Base(s)
	}
	if slip, ok := s.(*game.Slip); ok && a.Kind == AssumeBase {
		s = slip.State
		if m, pending := slip.Intended(); pending {
			s.Play(m)
			undo = s.Undo
		}
	}
	switch kind {
	case AssumeUniform:
		nature = natureUniform
	case AssumeAdversary:
		nature = natureOpposes
	case AssumePolicy:
		nature = natureFollows
	}
	return s, nature, undo
}

// Zero is the evaluation that knows nothing: the current score in games of
// score, the middle of the range elsewhere (0 where the range has no middle).
func Zero(g *game.Game) Evaluator { return zero{g} }

type zero struct{ g *game.Game }

func (z zero) Evaluate(s game.State, p game.Player) float64 {
	if sc, ok := game.As[game.Scorer](s); ok {
		if p > 0 && z.g.Players == 2 && z.g.Sum == game.Zero {
			return -sc.Score(0)
		}
		return sc.Score(p)
	}
	sh := game.ShapeOf(z.g, s)
	if mid := float64((sh.Min + sh.Max) / 2); mid-mid == 0 {
		return mid
	}
	return 0
}
