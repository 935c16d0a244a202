package search

import (
	"math"
	"slices"

	"plyfit/game"
	"plyfit/search/internal/position"
)

// choose sets the move in res to one of the best moves. Among certain wins it takes one of the
// shortest, and among certain losses one of the longest. c.Ties decides between equal moves.
func (p *planner) choose(res *Result) {
	pos, c := p.pos, &p.cfg
	before := res.Nodes
	found := res.equal(position.Rounding(res.Value)) // moves known to be best at the depth that ended the search
	if c.Complete || c.Ties == Random {
		p.text.observer = nil
		pos.Effort.Resume()
		p.complete(res, position.Tolerance(res.Value))
	}
	pool := res.equal(position.Rounding(res.Value))
	if c.Ties != Plain {
		pool = p.shortest(res, found, pool)
	}
	if c.Complete {
		res.markBest(pool)
		res.Best = res.equal(position.Tolerance(res.Value))
	}
	res.BestNodes = pos.Effort.Nodes - before + p.proofNodes
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

// equal returns the root moves whose exact values differ from the result's value by no more than a
// tolerance, the parameter near.
func (r *Result) equal(near float64) []game.Move {
	moves := make([]game.Move, 0, len(r.Root))
	for _, m := range r.Root {
		if m.Kind == Exact && math.Abs(m.Value-r.Value) <= near {
			moves = append(moves, m.Move)
		}
	}
	return moves
}

// markBest gives the listed moves the result's value and marks this value as exact. The search for
// the shortest win may prove more winning moves than the method complete can find within a limit.
func (r *Result) markBest(moves []game.Move) {
	for i := range r.Root {
		if m := &r.Root[i]; m.Kind != Exact && slices.Contains(moves, m.Move) {
			m.Value, m.Kind = r.Value, Exact
		}
	}
}

// complete determines which root moves are as good as the best. If the known bound of a move does
// not decide this, complete searches the move with a null window to test whether it reaches the
// best value (Pearl 1980, TEST). Moves that do not reach it keep their bounds. The time limit still
// applies, but the node count restarts. If a limit stops the tests, the remaining moves do not
// count as best.
//
// If the root is a certain loss, all moves are equally good. If a proof ended the search before the
// requested depth, the other moves are still searched to that depth. If a limit ended the search,
// the moves are compared at the last completed depth, because the best value was found there.
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
			// The move's value may still be within the tolerance.
			if reaches, done = p.reaches(r, res.Value, near, depth); reaches {
				r.Kind = Exact
			}
		}
		if !done {
			return
		}
	}
}

// reaches reports whether the value of the root move r, for which only a bound is known, is at
// least best - near. Otherwise, reaches stores the tighter bound in r. The result done is false if
// a limit stopped the search.
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

// reopen replaces root values that rest on estimates if the result is a certain win or loss. After
// a certain loss all moves are lost. After a certain win, other moves may also win if the moves are
// to be compared at a greater depth than the final depth of the search.
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

// certain reports whether v is a certain win or loss: the highest or lowest utility that can be
// reached from the root, forced without any estimate. depth is the number of decisions that were
// searched to find v. Estimates lie strictly inside the bounds, so a value at a bound is usually a
// proof. The exceptions are rounded averages, unproven cuts, and estimates that may lie at a bound
// ([position.Position.Evaluate]). In those cases, certain performs a separate proof search.
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
	p.proofNodes += pos.Effort.Nodes - before
	pos.Effort.Nodes = before
	return ok
}

// prover returns a proof search that tests whether the given side can force the given value.
// Results are kept between calls.
func (p *planner) prover(side position.Role, target float64) *position.Forced {
	if p.proof == nil || !p.proof.Seeks(side, target) {
		p.proof = position.NewForced(p.pos, side, target)
	}
	p.proof.Renew()
	return p.proof
}

// shortest returns the root moves that win soonest or lose last, if the result is certain.
// Otherwise it returns pool, the best moves. The parameter found lists the moves known to be best
// when the search ended, possibly before the requested depth.
func (p *planner) shortest(res *Result, found, pool []game.Move) []game.Move {
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
	// The search has already established which moves win at its own depth, except for wins that it
	// found beyond its last decision or by averaging.
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
