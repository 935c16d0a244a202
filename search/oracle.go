package search

import (
	"plyfit/game"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
)

// oracles know values without a search.
type oracles struct {
	narrower movePruner  // nil: none, or not to be used
	ends     endSolver   // likewise
	solver   game.Solver // likewise
	foreseer foreseer    // likewise
	reach    int         // decisions that it is asked to search at most
	skips    bool        // who solves may skip nodes
}

// movePruner is implemented by a State that can rule out losing moves without playing them, and so
// bound its own value. It is asked where at least two more moves are to be searched and nature has
// no part in the game.
//
// Example: in connect four after 11223 the first player threatens to complete the bottom row in
// column 4. All other replies lose at once, so PruneMoves lists column 4 alone, with the bounds -1
// and 1. After 112233 the first player wins in one move: PruneMoves lists nothing and both bounds
// are 1 for player 0.
type movePruner interface {
	// PruneMoves appends the moves worth searching, in the order of Moves, and encloses in [lo, hi]
	// what p gets under best play of both sides. If lo equals hi, that is the value, and moves may
	// be missing. Otherwise it lists at least one move: it may omit a move whose reply ends the
	// game at the mover's lower bound (see [game.Bounder]), or list alone a move that ends it at
	// his upper bound. For every listed move, the Bounds two moves later lie inside [lo, hi].
	PruneMoves(dst []game.Move, p game.Player) (moves []game.Move, lo, hi float64)
}

// endSolver is implemented by a State that can play the last few moves of a game
// out faster than a general search. It is asked where nature has no part in the game.
//
// Example: othello with at most nine empty squares. One square empty, black to
// play there and win all discs: Solve(0, 2, -64, 64) gives 64, true.
type endSolver interface {
	// Solve is what p gets under best play of both sides to the end of the game. ok = false: the
	// game may last more than depth moves, or is not worth solving yet. A value outside (alpha,
	// beta) bounds the true value on the same side. nodes is the number of positions visited.
	Solve(p game.Player, depth int, alpha, beta float64) (value float64, nodes int64, ok bool)
	// Warmup is how many decisions deep an evaluation should be searched, to order the moves,
	// before a search of depth moves; deeper costs more than it saves. ok = false: the game may
	// last longer.
	Warmup(depth int) (decisions int, ok bool)
}

// foreseer is an [Evaluator] that searches the tree below a chance node itself, faster than by making
// the moves one by one. A search of a game of one player asks it where leaves are afterstates and all
// of nature's moves count, each by its probability.
type foreseer interface {
	// Prepare begins another search, with a table of at most so many megabytes: 0 for the default,
	// below 0 for none. Nothing of earlier searches changes what is found or visited.
	Prepare(megabytes int)
	// Foresee is the value of a search of depth decisions at s, a base state at which nature moves
	// before the player: the average over nature's moves, by Chancer.Prob, of the largest value
	// after the player's moves, by Evaluate within Bounds after the last, or by the utility where the
	// game is over. It calls visits with the number of nodes below s visited since the last call,
	// which returns after how many more to call it again, 0 to stop: what Foresee returns then means
	// nothing.
	// evaluations are the nodes that were evaluated. If there are none, least is how many decisions
	// were left before the horizon at the node with fewest. Bounds are the position's if it is a [game.Bounder], else the
	// game's. ok is false where it cannot tell.
	Foresee(s game.State, depth int, visits func(nodes int64) int64) (value float64, evaluations int64, least int, ok bool)
	// Probed is how often its table was asked and knew, since the last call.
	Probed() (probes, hits int64)
}

// bindForeseer uses a [foreseer] in games of one and chance if all chance moves count: for whole
// trees, or only for the last decision where the options say how to search those before.
func (o *oracles) bindForeseer(pos *position.Position, c *config, helps bool) {
	n := &pos.Nature
	if c.Samples > 0 || c.MinProb > 0 || pos.Static.Strict || pos.Shape.Players != 1 || n.Kind != assume.NatureAverages || n.Policy != nil || pos.Slip != nil || !pos.Static.Afterstate {
		return
	}
	// The position's own bounds must lie within the game's; all do where the root's do.
	lo, hi := pos.Shape.Min, pos.Shape.Max
	if pos.Bounder != nil {
		lo, hi = pos.Bounder.Bounds(pos.Me)
	}
	if lo < pos.Shape.Min || hi > pos.Shape.Max {
		return
	}
	if o.foreseer, _ = c.Eval.(foreseer); o.foreseer == nil {
		return
	}
	o.reach = 1
	if c.Prune == PruneDefault && c.Threads <= 1 && !helps {
		o.reach = deepest
		o.foreseer.Prepare(c.Table)
	}
}

// bindGame asks the game, where nature has no hand in it and both sides play their
// best. A solver skips nodes, which an observer wants to hear of.
func (o *oracles) bindGame(pos *position.Position, observed bool) {
	if pos.Slip != nil || pos.Nature.Chancer != nil || pos.Nature.Others {
		return
	}
	o.narrower, _ = game.As[movePruner](pos.State)
	if o.skips = !observed; o.skips {
		o.ends, _ = game.As[endSolver](pos.State)
	}
}
