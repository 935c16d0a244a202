package search

import (
	"cmp"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/search/internal/position"
)

// The common parts of the agents for any number of players: max^n, paranoid, greedy.

// iterate asks for answers of growing depth until c's limits stop it, or only for that of c.Depth
// if nothing else limits the search. If time allowed none, it returns the first move, and the static
// value of the root; if ctx ended, its error.
func iterate(p *position.Players, c *config, stats *Stats, answer func(depth int) Result) (Result, error) {
	first, last := c.Depth, cmp.Or(c.Depth, deepest)
	if c.Nodes > 0 || c.Time > 0 {
		first = 1
	}
	var best Result
	found := false
	e := &p.Pos.Effort
	deepen(first, last, onward, func(depth int) (final, done bool) {
		r := answer(depth)
		switch {
		case !e.Stopped():
			best, found = r, true
		case !found && len(r.Root) > 0: // half an iteration is only better than none
			best, found = r, true
			best.Depth = 0
		}
		return r.Exact, !e.Stopped()
	})
	if fault := e.Fault(); fault != nil {
		return Result{Move: game.NoMove}, fault
	}
	if !found {
		if err := e.Context().Err(); err != nil {
			return Result{Move: game.NoMove}, err
		}
		best.Move, best.Values, best.Exact = p.Unsearched()
		best.Value = best.Values[p.Planner()]
	}
	best.Nodes, best.Elapsed, best.Stats = e.Nodes, e.Elapsed(), stats.with(e)
	return best, nil
}

// conclude fills in what the iteration cost and how certain it is; estimates is how
// many there were before it.
func conclude(p *position.Players, r *Result, stats *Stats, estimates int64) {
	e := &p.Pos.Effort
	r.Nodes, r.Elapsed, r.Stats = e.Nodes, e.Elapsed(), stats.with(e)
	if r.Exact = e.Estimates == estimates && !e.Stopped(); r.Exact {
		r.Depth = p.Depth - e.Least // the game ended everywhere before the horizon
	}
}

// picked has one of the root's equally good moves played, of certain wins and losses one of
// the shortest and the longest: the k-th, which may be other than the search's own.
func picked(p *position.Players, r *Result, c *config, rng *rand.Rand) (k int, other bool) {
	moves := make([]game.Move, len(r.Root))
	for i, m := range r.Root {
		moves[i] = m.Move
	}
	pool, exact, nodes := p.Direct(r.Value, moves, r.Exact)
	r.Exact = exact
	r.BestNodes += nodes
	chosen := pool
	if c.Ties == Plain {
		chosen = nil
	}
	k = choose(r.Root, r.Value, chosen, c.Ties, rng)
	if other = moves[k] != r.Move; other {
		r.Move, r.PV = moves[k], append(r.PV[:0], moves[k])
	}
	if c.Complete {
		near := position.Tolerance(r.Value)
		if len(pool) > 0 && p.Depth < c.Depth { // it ended early: what another is worth at c.Depth, a mere estimate does not tell
			near = position.Rounding(r.Value)
		}
		for _, m := range r.Root {
			if m.Kind == Exact && m.Value >= r.Value-near {
				r.Best = append(r.Best, m.Move)
			}
		}
	}
	return k, other
}
