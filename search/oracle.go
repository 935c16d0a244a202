package search

import (
	"plyfit/game"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
)

type oracles struct {
	solver   game.Solver // nil: none
	solves   bool        // nodes may be skipped, so it may do more than narrow
	foreseer foreseer    // nil: none, or not to be used
	reach    int         // decisions that it is asked to search at most
}

// foreseer is an [Evaluator] that searches the tree below a chance node itself, faster than by making
// the moves one by one: [plyfit/features.Lookahead] documents the methods. A search of a game of one
// player asks it if leaves are afterstates and all of nature's moves count, each by its probability.
type foreseer interface {
	Prepare(megabytes int)
	Foresee(s game.State, depth int, visits func(nodes int64) int64) (value float64, evaluations int64, least int, ok bool)
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
