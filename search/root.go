package search

import (
	"cmp"
	"math"
	"slices"

	"plyfit/game"
	"plyfit/search/internal/position"
)

type root struct {
	own    position.View // the mover's
	counts bool          // its moves count in the depth
	moves  []RootMove    // in the game's order, values in the view own
	order  []int         // of moves, in which they are searched
	best   int           // the move that is best so far; -1: none
	depth  int           // of the last iteration that was finished
	last   int           // best of that iteration
	ahead  bool          // best is of an iteration that was stopped, and was found to be better there than the best move of the last one
	open   int           // decisions within which the root was found to be no certain win or loss
}

func (r *root) reset(own position.View, counts bool) {
	*r = root{own: own, counts: counts, moves: r.moves[:0], order: r.order[:0], best: -1}
}

func (r *root) add(m RootMove) {
	r.order = append(r.order, len(r.moves))
	r.moves = append(r.moves, m)
}

// below is the decisions left to the horizon after a move of a root depth decisions before it.
func (r *root) below(depth int) int {
	if r.counts {
		depth--
	}
	return depth
}

// arrange puts the moves into the order to search them in: the best of the last
// iteration first, then the others by their bounds.
func (r *root) arrange() {
	slices.SortStableFunc(r.order, func(i, j int) int {
		if a, b := i == r.best, j == r.best; a != b {
			if a {
				return -1
			}
			return 1
		}
		return cmp.Compare(r.moves[j].Value, r.moves[i].Value)
	})
}

// rootValue searches the root. A constant evaluation leaves few values, so the fast search halves the
// possible range with null windows at each step (as Pascal Pons' solver of connect four does); the
// last loop then has a narrow window.
func (p *planner) rootValue(depth int) float64 {
	pos, r := p.pos, &p.root
	if p.plain {
		return p.rootSearch(r.below(depth), -inf, inf)
	}
	p.fast.guess.horizon = depth
	solved, ok := p.solveRoot(depth)
	if !p.fast.order.natural {
		r.arrange()
	}
	below := r.below(depth)
	if ok {
		alpha, beta := position.Under(solved), position.Above(solved)
		return p.rootSearch(below, alpha, beta)
	}
	if pos.Effort.Stopped() {
		return 0
	}
	lo, hi := pos.Bounds()
	// Averages are rounded, differently on different ways to them: no halving.
	if !pos.Static.Ignorant || !p.fast.cuts || pos.Averages() || hi-lo-(hi-lo) != 0 {
		return p.rootSearch(below, -inf, inf)
	}
	middle := pos.Shape.Min + float64((pos.Shape.Max-pos.Shape.Min)/2)
	for range maxHalvings {
		if lo >= hi || pos.Effort.Stopped() {
			break
		}
		mid := probing(lo-middle, hi-middle) + middle
		alpha, beta := r.own.Window(mid, position.Above(mid))
		if v := r.own.Of(p.rootSearch(below, alpha, beta)); v > mid {
			lo = max(lo, v)
		} else {
			hi = min(hi, v)
		}
	}
	alpha, beta := r.own.Window(position.Under(lo), position.Above(hi))
	return p.rootSearch(below, alpha, beta)
}

// solveRoot asks a solver for the root's value to its mover and the first move to search. The
// remaining search of the root finds most of its answers in the solver's table.
func (p *planner) solveRoot(depth int) (v float64, ok bool) {
	pos, r, solver := p.pos, &p.root, p.fast.known.solver
	if !p.fast.known.solves || !r.counts {
		return 0, false
	}
	if _, warms := solver.Warmup(depth); warms {
		return 0, false
	}
	if v, ok = p.fast.playOut(depth, -inf, inf); !ok {
		return 0, false
	}
	if line := solver.Line(nil, pos.Me, v); len(line) > 0 {
		r.best = slices.IndexFunc(r.moves, func(m RootMove) bool { return m.Move == line[0] })
	}
	return r.own.Of(v), true
}

// probing is the value between lo and hi to ask about first, 0 being the middle of the game's
// range. Extreme values are quickest to decide, so a range that spans the middle is halved on its
// longer side.
func probing(lo, hi float64) float64 {
	mid := lo + float64((hi-lo)/2)
	switch {
	case mid <= 0 && lo/2 < mid:
		return lo / 2
	case mid >= 0 && hi/2 > mid:
		return hi / 2
	}
	return mid
}

// maxHalvings is more than a game of up to a thousand different outcomes needs.
const maxHalvings = 10

// rootSearch is principal variation search over the root's moves, which are depth decisions before
// the horizon, in the window (alpha, beta), the last loop's best move first. Moves before the best
// in the game's order are asked whether they are as good, those behind whether they are better: so
// the result is the first of the best moves in any order of search.
func (p *planner) rootSearch(depth int, alpha, beta float64) float64 {
	r, cuts := &p.root, p.fast.cuts
	p.pos.Effort.Nodes++
	p.text.pv.restart()
	best, at := -inf, -1
	first, old := len(r.order) > 0 && r.order[0] == r.last, -inf // the best of the last iteration, and what it is worth now
	r.ahead = false
	p.text.pv.down()
	for n, i := range r.order {
		m := &r.moves[i]
		beat, near := alpha, 0.0
		if i < at && cuts {
			near = position.Rounding(best)
			beat = position.Under(best - near)
		}
		v, kind, done := p.rootMove(m.Move, depth, beat, beta, n > 0 && at >= 0 && p.fast.scout)
		if !done {
			r.ahead = !p.plain && first && at >= 0 && best > old+position.Rounding(best)
			break
		}
		m.Value, m.Kind = v, kind
		if n == 0 {
			old = v
		}
		tie := i < at && m.Kind == Exact && !(v > best) && math.Abs(v-best) <= near
		if !tie && !(v > best) {
			continue
		}
		if tie {
			m.Value = best
		}
		best = m.Value
		if m.Kind == Exact {
			at, r.best = i, i
			p.text.pv.extend(m.Move)
		}
		if cuts && best > alpha {
			if alpha = best; alpha >= beta {
				break
			}
		}
	}
	p.text.pv.ply = 0
	return best
}

// rootMove searches one of the root's moves in the window (alpha, beta), with scout
// first in a null window. done is false where a limit stopped it.
func (p *planner) rootMove(m game.Move, depth int, alpha, beta float64, scout bool) (v float64, kind Bound, done bool) {
	hi := beta
	p.pos.Play(m)
	if scout {
		hi = position.Above(alpha)
		v = p.search(p.root.own, depth, alpha, hi)
	}
	if !scout || v > alpha && !p.pos.Effort.Stopped() {
		hi = beta
		v = p.search(p.root.own, depth, alpha, hi)
	}
	p.pos.Undo()
	if p.fast.cuts {
		kind = kindOf(v, alpha, hi)
	}
	return v, kind, !p.pos.Effort.Stopped()
}

// line is the principal variation as far as the last loop tells it, and on
// from there by the table's moves, until chance, the end, or depth decisions.
func (p *planner) line(depth int) []game.Move {
	pos := p.pos
	pv := slices.Clone(p.text.pv.lines[0])
	if p.plain || p.fast.table == nil || len(pv) == 0 {
		return pv
	}
	for _, m := range pv {
		pos.State.Play(m)
	}
	for len(pv) < depth && pos.State.Turn() >= 0 && !pos.Nature.Others {
		e, ok := p.fast.table.probe(p.fast.place(), 0)
		if !ok || e.move == game.NoMove {
			break
		}
		m := e.move
		begin := len(pos.Moves)
		pos.Moves = pos.State.Moves(pos.Moves)
		legal := slices.Contains(pos.Moves[begin:], m)
		pos.Moves = pos.Moves[:begin]
		if !legal {
			break
		}
		pv = append(pv, m)
		pos.State.Play(m)
	}
	n := len(pv)
	i := slices.IndexFunc(p.root.moves, func(m RootMove) bool { return m.Move == pv[0] })
	if p.fast.known.solves && i >= 0 && p.root.moves[i].Kind == Exact {
		pv = p.fast.known.solver.Line(pv, pos.Me, p.root.own.Of(p.root.moves[i].Value))
		pv = pv[:min(len(pv), max(n, depth))]
	}
	for range n {
		pos.State.Undo()
	}
	return pv
}

// deepest is the horizon of a search without a limit of depth.
const deepest = 1 << 20

// onward is the next horizon after depth, one decision deeper.
func onward(depth int) int { return depth + 1 }

// deepen is iterative deepening (Slate and Atkin 1977): it calls iterate with the horizons first,
// next(first), ... up to last, until deeper ones would find the same (final) or a limit stops it
// (done is false). It reports whether any iteration finished.
func deepen(first, last int, next func(depth int) int, iterate func(depth int) (final, done bool)) (finished bool) {
	for depth := first; depth <= last; depth = next(depth) {
		final, done := iterate(depth)
		if !done {
			return finished
		}
		if finished = true; final {
			break
		}
	}
	return finished
}
