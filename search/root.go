package search

import (
	"cmp"
	"math"
	"slices"

	"plyfit/game"
	"plyfit/search/internal/position"
)

// root is the state of the search at the root.
type root struct {
	own      position.View // point of view of the mover
	counts   bool          // root moves are counted in the depth
	moves    []RootMove    // in the game's order, with values from the mover's point of view
	order    []int         // indices of moves in search order
	best     int           // index of the best move so far, or -1
	depth    int           // depth of the last completed iteration
	last     int           // best move of the last completed iteration
	improved bool          // best comes from an interrupted iteration, in which it was better than the move with index last
	open     int           // a certain win or loss within this number of decisions has been ruled out
}

func (r *root) reset(own position.View, counts bool) {
	*r = root{own: own, counts: counts, moves: r.moves[:0], order: r.order[:0], best: -1}
}

func (r *root) add(m RootMove) {
	r.order = append(r.order, len(r.moves))
	r.moves = append(r.moves, m)
}

// below returns the depth that remains after a move, for a root that is searched to the given
// depth.
func (r *root) below(depth int) int {
	if r.counts {
		depth--
	}
	return depth
}

// arrange sorts the moves for the search. The best move of the last iteration comes first. The
// others follow in the order of their bounds.
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

// rootValue searches the root. With a constant evaluation, few distinct values are possible. In
// that case the fast search repeatedly halves the range of possible values with null windows (as in
// Pascal Pons's solver for connect four). The final search then has a narrow window.
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
	// Rounding errors in averages depend on the path, so halving requires a search without
	// averages.
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

// solveRoot uses the solver to compute the root's value to its mover and the first move to search.
// The root search that follows finds most of its results in the solver's table.
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

// probing returns the value at which to split the range from lo to hi. 0 is the middle of the
// game's range. Extreme values are the fastest to decide, so a range that contains 0 is split on
// its longer side.
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

// maxHalvings is the maximum number of times that the range of values is halved.
const maxHalvings = 10

// rootSearch performs a principal variation search over the root's moves in the window (alpha,
// beta). depth is the number of decisions from the positions after the moves to the horizon. The
// best move of the previous search comes first. An equally good move replaces the best move so far
// only if it comes earlier in the game's order. The result is therefore the first of the best moves
// in the game's order, whatever the search order.
func (p *planner) rootSearch(depth int, alpha, beta float64) float64 {
	r, cuts := &p.root, p.fast.cuts
	p.pos.Effort.Nodes++
	p.text.pv.restart()
	best, at := -inf, -1
	first, old := len(r.order) > 0 && r.order[0] == r.last, -inf // best move of the last iteration and its current value
	r.improved = false
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
			r.improved = !p.plain && first && at >= 0 && best > old+position.Rounding(best)
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

// rootMove searches a root move in the window (alpha, beta). If scout is set, it tries a null
// window first. The result done is false if a limit stopped the search.
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

// line returns the principal variation. It starts with the line of the last root search and extends
// it by moves from the table. The line ends at a chance node, at the end of the game or after depth
// decisions.
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

// deepest is the horizon of searches without a depth limit.
const deepest = 1 << 20

// onward returns the horizon one decision deeper than depth.
func onward(depth int) int { return depth + 1 }

// deepen performs iterative deepening (Slate and Atkin 1977). It calls iterate with the horizons
// first, next(first), and so on up to last. It stops when deeper searches would return the same
// result (final) or when a limit interrupts an iteration (done is false). It reports whether any
// iteration was completed.
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
