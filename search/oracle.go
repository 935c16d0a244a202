package search

import (
	"plyfit/game"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
)

// oracles are sources of values other than the search: the game's own solver, and an evaluation
// that performs its own search.
type oracles struct {
	solver   game.Solver // nil if there is none
	solves   bool        // the solver may skip nodes; otherwise it may only narrow bounds
	foreseer foreseer    // nil if there is none or it must not be used
	reach    int         // maximum depth of a foreseer's search, in decisions
}

// A foreseer is an [Evaluator] that searches the tree below a chance node itself, faster than by
// playing the moves one by one. Its methods are documented at [plyfit/features.Lookahead]. A search
// uses it in single-player games if leaves are afterstates and all of nature's moves are included
// with their probabilities.
type foreseer interface {
	Prepare(megabytes int)
	Foresee(s game.State, depth int, visits func(nodes int64) int64) (value float64, evaluations int64, least int, ok bool)
	Probed() (probes, hits int64)
}

// bindForeseer uses the evaluation as a [foreseer] in single-player games with chance, if all
// chance moves are included. The foreseer searches whole trees. If the options prescribe a pruning
// method or several threads, it searches only the last decision.
func (o *oracles) bindForeseer(pos *position.Position, c *config, helps bool) {
	n := &pos.Nature
	if c.Samples > 0 || c.MinProb > 0 || pos.Static.Strict || pos.Shape.Players != 1 || n.Kind != assume.NatureAverages || n.Policy != nil || pos.Slip != nil || !pos.Static.Afterstate {
		return
	}
	// The position's bounds must lie within the game's bounds. If they do so at the root, they do
	// so everywhere.
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
