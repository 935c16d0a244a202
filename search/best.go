package search

import (
	"math"

	"plyfit/game"
)

// choose finds the best moves and takes one: of those that are as good as the
// best, one of the shortest wins or of the longest losses where they are certain,
// by c.Ties among equals.
func (p *planner) choose(res *Result) {
	pos, c := p.pos, &p.cfg
	before := res.Nodes
	found := res.equal(rounding(res.Value)) // at the depth that ended the search
	if c.Complete || c.Ties == Random {
		p.unobserved()
		pos.effort.meter.resume(pos.effort.nodes)
		p.complete(res, tolerance(res.Value))
	}
	pool := res.equal(rounding(res.Value))
	if c.Complete {
		res.Best = res.equal(tolerance(res.Value))
	}
	pool = p.direct(res, found, pool)
	res.BestNodes = pos.effort.nodes - before + p.aside
	res.Move = pool[0]
	if c.Ties == Random {
		pos.nature.seed = game.Mix(pos.nature.seed)
		res.Move = pool[pos.nature.seed%uint64(len(pool))]
	}
	if len(res.PV) == 0 || res.PV[0] != res.Move {
		p.text.pv.lines[0] = append(p.text.pv.lines[0][:0], res.Move)
		res.PV = p.line(res.Depth)
	}
}

// equal are the root's moves that are known to be worth the result's value, as
// near as near.
func (r *Result) equal(near float64) []game.Move {
	moves := make([]game.Move, 0, len(r.Root))
	for _, m := range r.Root {
		if m.Kind == Exact && math.Abs(m.Value-r.Value) <= near {
			moves = append(moves, m.Move)
		}
	}
	return moves
}

// complete finds out which of the root's moves are as good as the best: where
// only a bound is known of one, and the bound does not tell, whether its value
// reaches the best is asked with a null window (Pearl 1980, TEST). Those that
// do not keep their bound. Limits of time hold here as well, and a limit of
// nodes anew: moves that are still bounds then are not among the best.
//
// Where the root is a certain loss all moves are. A certain win that was found
// before the depth that was asked for ended the search; of the other moves that
// depth has yet to tell.
func (p *planner) complete(res *Result, near float64) {
	p.text.pv.ply = 0
	depth := max(p.root.depth, p.cfg.Depth)
	if res.Exact && p.pos.effort.estimates > 0 {
		p.reopen(res)
	}
	depth = p.root.below(depth)
	for i := range res.Root {
		r := &res.Root[i]
		if r.Kind == Exact {
			continue
		}
		reaches, done := p.reaches(r, res.Value, rounding(res.Value), depth)
		if reaches {
			r.Kind, r.Value = Exact, res.Value
		} else if done && p.cfg.Complete {
			// As good as the best, but not to the last digit.
			if reaches, done = p.reaches(r, res.Value, near, depth); reaches {
				r.Kind = Exact
			}
		}
		if !done {
			return
		}
	}
}

// reaches reports whether the root's move r, of which a bound is known, is at most
// near worse than best, and keeps the better bound if it is not. done is false
// where a limit stopped it.
func (p *planner) reaches(r *RootMove, best, near float64, depth int) (reaches, done bool) {
	alpha := best - near
	if r.Value < alpha {
		return false, true
	}
	p.pos.play(r.Move)
	v := p.search(p.root.own, depth, alpha, above(alpha))
	p.pos.undo()
	if p.pos.effort.meter.stopped {
		return false, false
	}
	if v > alpha {
		return true, true
	}
	r.Value = v
	return false, true
}

// reopen corrects what the values of the root's moves at the depth that ended
// the search say of a greater one, where estimates touched them: after a certain
// loss all are lost, after a certain win the others may be won, too.
func (p *planner) reopen(res *Result) {
	side, _, ok := p.pos.extreme(p.root.own.of(res.Value))
	won := side.view() == p.root.own
	for i := range res.Root {
		switch r := &res.Root[i]; {
		case !ok || r.Kind == Exact && r.Value == res.Value:
		case !won:
			r.Value, r.Kind = res.Value, Exact
		case p.cfg.Depth > p.root.depth:
			r.Value, r.Kind = res.Value, Upper
		}
	}
}

// certain reports whether the value v, of a search depth decisions deep, is a
// certain win or loss: the most or the least there is to get from here, found at
// ends of the game alone. Estimates lie strictly inside, so that a value at a
// bound is proof enough, but where averages are rounded or estimates may stand at
// the bound ([position.evaluate]).
func (p *planner) certain(v float64, depth int) bool {
	pos := p.pos
	side, target, ok := pos.extreme(p.root.own.of(v))
	if !ok {
		return false
	}
	if pos.static.strict && !pos.averages() {
		return true
	}
	before := pos.effort.nodes
	ok = p.prover(side, target).within(depth)
	p.aside += pos.effort.nodes - before
	pos.effort.nodes = before
	return ok
}

// prover asks whether side forces the target; it remembers what it was told.
func (p *planner) prover(side role, target float64) *forced {
	if p.proof == nil || p.proof.side != side || p.proof.target != target {
		p.proof = newForced(p.pos, side, target, 0)
	}
	p.proof.budget, p.proof.spent = budgetOf(p.pos.effort.nodes), p.pos.nature.samples > 0
	return p.proof
}

// direct are those of the root's moves that win soonest or lose last, where a win
// or a loss is certain; else pool, the best ones. found are those that the search
// had found when it ended, which may have been before the depth that was asked for.
func (p *planner) direct(res *Result, found, pool []game.Move) []game.Move {
	pos, r := p.pos, &p.root
	side, target, ok := pos.extreme(r.own.of(res.Value))
	if !ok || !res.Exact || len(res.Root) < 2 || p.helping > 0 {
		return pool
	}
	pos.effort.meter.resume(pos.effort.nodes)
	f := p.prover(side, target)
	moves := make([]game.Move, len(res.Root))
	for i, m := range res.Root {
		moves[i] = m.Move
	}
	spend := 1 - r.below(1)
	if won := side.view() == r.own; !won {
		return f.latest(moves, max(1, r.open), r.depth-1, spend)
	}
	// What is worth a win at the depth of the search itself the search has told,
	// but for what it found beyond its last decision, or took for an average.
	to := r.depth - 1
	early := r.depth < p.cfg.Depth && pos.effort.estimates > 0
	if p.text.qsearch != nil || pos.averages() || !pos.static.strict || early && p.cfg.Ties == Random {
		to = r.depth
	}
	if first := f.soonest(moves, r.open+1, to, spend, p.cfg.Ties == First); len(first) > 0 {
		return first
	}
	if early {
		return found
	}
	return pool
}
