package search

import (
	"math"
	"slices"

	"plyfit/game"
	"plyfit/search/internal/position"
)

// choose takes one of the best moves: one of the shortest certain wins or longest certain losses,
// by c.Ties among equals.
func (p *planner) choose(res *Result) {
	pos, c := p.pos, &p.cfg
	before := res.Nodes
	found := res.equal(position.Rounding(res.Value)) // at the depth that ended the search
	if c.Complete || c.Ties == Random {
		p.text.observer = nil
		pos.Effort.Resume()
		p.complete(res, position.Tolerance(res.Value))
	}
	pool := res.equal(position.Rounding(res.Value))
	if c.Ties != Plain {
		pool = p.direct(res, found, pool)
	}
	if c.Complete {
		res.listed(pool)
		res.Best = res.equal(position.Tolerance(res.Value))
	}
	res.BestNodes = pos.Effort.Nodes - before + p.aside
	res.Move = pool[0]
	if c.Ties == Random {
		pos.Nature.Seed = game.Mix(pos.Nature.Seed)
		res.Move = pool[pos.Nature.Seed%uint64(len(pool))]
	}
	if len(res.PV) == 0 || res.PV[0] != res.Move {
		p.text.pv.lines[0] = append(p.text.pv.lines[0][:0], res.Move)
		res.PV = p.line(res.Depth)
	}
}

// equal are the root's moves that are known to be worth the result's value, as near as near.
func (r *Result) equal(near float64) []game.Move {
	moves := make([]game.Move, 0, len(r.Root))
	for _, m := range r.Root {
		if m.Kind == Exact && math.Abs(m.Value-r.Value) <= near {
			moves = append(moves, m.Move)
		}
	}
	return moves
}

// listed notes that the moves are worth the result's value: of certain wins more may be
// found on the way to the shortest one than a limit let complete find.
func (r *Result) listed(moves []game.Move) {
	for i := range r.Root {
		if m := &r.Root[i]; m.Kind != Exact && slices.Contains(moves, m.Move) {
			m.Value, m.Kind = r.Value, Exact
		}
	}
}

// complete finds out which of the root's moves are as good as the best: where a known bound does
// not tell, it asks with a null window whether the value reaches the best (Pearl 1980, TEST). Moves
// that do not keep their bound. Limits of time apply, and a limit of nodes anew: moves that are
// still bounds then are not among the best.
//
// Where the root is a certain loss all moves are. If a proof ended the search before the requested
// depth, the other moves still need that depth. If a limit ended it, the moves are compared at the
// last finished depth, which the best value is of.
func (p *planner) complete(res *Result, near float64) {
	p.text.pv.ply = 0
	depth := p.root.depth
	if res.Exact {
		depth = max(depth, p.cfg.Depth)
		if p.pos.Effort.Estimates > 0 {
			p.reopen(res)
		}
	}
	depth = p.root.below(depth)
	for i := range res.Root {
		r := &res.Root[i]
		if r.Kind == Exact {
			continue
		}
		reaches, done := p.reaches(r, res.Value, position.Rounding(res.Value), depth)
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

// reaches reports whether the root's move r, of which a bound is known, is at most near worse than
// best, and keeps the better bound if it is not. done is false where a limit stopped it.
func (p *planner) reaches(r *RootMove, best, near float64, depth int) (reaches, done bool) {
	alpha := best - near
	if r.Value < alpha {
		return false, true
	}
	p.pos.Play(r.Move)
	v := p.search(p.root.own, depth, alpha, position.Above(alpha))
	p.pos.Undo()
	if p.pos.Effort.Stopped() {
		return false, false
	}
	if v > alpha {
		return true, true
	}
	r.Value = v
	return false, true
}

// reopen extends the root's values from the depth that ended the search to a greater one, where
// estimates touched them: after a certain loss all are lost, after a certain win others may be won.
func (p *planner) reopen(res *Result) {
	side, _, ok := p.pos.Extreme(p.root.own.Of(res.Value))
	won := side.View() == p.root.own
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

// certain reports whether v, of a search depth decisions deep, is a certain win or loss: the most
// or the least to get from here, found at ends of the game alone. Estimates lie strictly inside, so
// a value at a bound is a proof, except where averages are rounded or estimates may lie at the
// bound ([position.Position.Evaluate]).
func (p *planner) certain(v float64, depth int) bool {
	pos := p.pos
	side, target, ok := pos.Extreme(p.root.own.Of(v))
	if !ok {
		return false
	}
	if pos.Static.Strict && !pos.Averages() && !p.fast.guess.on {
		return true
	}
	before := pos.Effort.Nodes
	ok = p.prover(side, target).Within(depth)
	p.aside += pos.Effort.Nodes - before
	pos.Effort.Nodes = before
	return ok
}

// prover asks whether side forces the target; it remembers its answers.
func (p *planner) prover(side position.Role, target float64) *position.Forced {
	if p.proof == nil || !p.proof.Asks(side, target) {
		p.proof = position.NewForced(p.pos, side, target)
	}
	p.proof.Renew()
	return p.proof
}

// direct are the root's moves that win soonest or lose last where that is certain, else pool, the
// best ones. found are those known when the search ended, perhaps before the requested depth.
func (p *planner) direct(res *Result, found, pool []game.Move) []game.Move {
	pos, r := p.pos, &p.root
	side, target, ok := pos.Extreme(r.own.Of(res.Value))
	if !ok || !res.Exact || len(res.Root) < 2 || p.helping > 0 {
		return pool
	}
	pos.Effort.Resume()
	f := p.prover(side, target)
	moves := make([]game.Move, len(res.Root))
	for i, m := range res.Root {
		moves[i] = m.Move
	}
	spend := 1 - r.below(1)
	if won := side.View() == r.own; !won {
		return f.Latest(moves, max(1, r.open), r.depth-1, spend)
	}
	// What is worth a win at the depth of the search itself the search has told,
	// but for what it found beyond its last decision, or took for an average.
	to := r.depth - 1
	early := r.depth < p.cfg.Depth
	if p.text.qsearch != nil || pos.Averages() || !pos.Static.Strict || early && p.cfg.Ties == Random {
		to = r.depth
	}
	if first := f.Soonest(moves, r.open+1, to, spend, p.cfg.Ties == First); len(first) > 0 {
		return first
	}
	if early {
		return found
	}
	return pool
}
