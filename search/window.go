package search

import (
	"math"

	"plyfit/game"
)

// look is the grown-up walk: the value of the present position as walk would
// have it, if that lies inside the window, else a bound of it on the same side
// of the window (fail-soft). It remembers positions, narrows the window by what
// the end can be worth, tries likely moves first and searches the others with
// null windows.
//
// Values of one depth answer only for that depth, and those that no evaluation
// touched for greater ones: so the result is that of walk whatever the table
// holds.
func (w *walker) look(depth int, alpha, beta float64) float64 {
	if !w.visit() {
		return 0
	}
	w.line[w.ply] = w.line[w.ply][:0]
	w.reach(depth)
	r, counts := w.role(w.state.Turn(), depth)
	var v float64
	if r <= leaf {
		v = w.judge(r, alpha, beta)
	} else {
		below := depth
		if counts {
			below--
		}
		v = w.inner(r, depth, below, alpha, beta)
	}
	if w.observer != nil && !w.meter.stopped {
		w.observe(depth, v, alpha, beta)
	}
	return v
}

// inner is look at a node with moves.
func (w *walker) inner(r role, depth, below int, alpha, beta float64) float64 {
	ends := span{w.shape.Min, w.shape.Max} // what any end from here on is worth
	if w.cuts && w.bounder != nil {
		ends.lo, ends.hi = w.bounds()
	}
	lo, hi := ends.lo, ends.hi // what this position is worth
	first := len(w.moves)
	if w.narrower != nil && below > 0 && r != average {
		var l, h float64
		w.moves, l, h = w.narrower.Narrow(w.moves, w.me)
		w.reach(max(0, depth-2)) // it knows what a move and its answer come to
		lo, hi = max(lo, l), min(hi, h)
	}
	if w.cuts && (lo >= beta || lo >= hi || hi <= alpha) {
		w.moves = w.moves[:first]
		if hi <= alpha {
			return hi
		}
		return lo
	}
	if w.solver != nil && r != average {
		if v, nodes, ok := w.solver.Solve(w.me, depth, alpha, beta); ok {
			w.nodes += nodes
			w.least = 0 // to the end, however far that is
			w.moves = w.moves[:first]
			return v
		}
	}
	fringe := below == 0 && r != average && w.unsorted
	var (
		key   uint64
		try   = game.NoMove
		prob  = w.prob
		guess = w.guess
	)
	if w.table != nil && !fringe {
		key = w.table.key(w.state.Hash(), w.view)
		w.stats.Probes++
		if e, ok := w.table.probe(key, depth); ok {
			w.stats.Hits++
			try = e.move
			if e.answers(depth) && (e.lo > lo || e.hi < hi) {
				if !e.complete {
					w.guess++
				}
				lo, hi = max(lo, e.lo), min(hi, e.hi)
				if lo >= beta || lo >= hi || hi <= alpha {
					w.stats.TableCuts++
					w.moves = w.moves[:first]
					if hi <= alpha {
						return hi
					}
					return lo
				}
			}
		}
	}
	a, b := alpha, beta
	if w.cuts {
		a, b = max(alpha, lo), min(beta, hi)
	} else {
		a, b = math.Inf(-1), math.Inf(1)
	}
	var v float64
	best := game.NoMove
	if r == average {
		if v, ok := w.foresee(depth); ok {
			v = max(lo, min(hi, v))
			if w.table != nil {
				w.table.store(key, entry{lo: v, hi: v, move: try, depth: depth})
			}
			return v
		}
		v, best = w.star(below, a, b, ends, try)
	} else {
		v, best = w.choose(r, depth, below, first, fringe, a, b, try, key)
	}
	w.prob = prob
	if w.meter.stopped {
		return v
	}
	// Rounding at chance nodes may carry an average a last digit out of its bounds.
	v = max(lo, min(hi, v))
	if w.table != nil && !fringe {
		e := entry{lo: lo, hi: hi, move: best, depth: depth, complete: w.guess == guess}
		if v > a || v >= b {
			e.lo = v
		}
		if v < b || v <= a {
			e.hi = v
		}
		if best == game.NoMove {
			e.move = try
		}
		w.table.store(key, e)
	}
	return v
}

// foresee asks the evaluation for the value of a chance node, where it looks as
// far as the search would.
func (w *walker) foresee(depth int) (v float64, ok bool) {
	if w.foreseer == nil || depth != 1 {
		return 0, false
	}
	v, nodes, evaluations, ok := w.foreseer.Foresee(w.base)
	if ok {
		w.nodes += nodes
		w.guess += evaluations
		w.stats.Evaluations += evaluations
	}
	return v, ok
}

// choose is the loop over the moves of one who chooses, those that w.moves lists
// from first on, or if there are none the legal ones: principal variation
// search (Marsland and Campbell 1982; Reinefeld 1983, NegaScout): the first
// move gets the window, the others a null window (alpha, alpha+), which tells
// only whether they are better, and the window again if they are.
func (w *walker) choose(r role, depth, below, first int, fringe bool, alpha, beta float64, try game.Move, key uint64) (float64, game.Move) {
	var (
		ranked   = len(w.order.ranks)
		maximize = r == maximum
		side     = 0
		best     = math.Inf(-1)
		move     = game.NoMove
	)
	if !maximize {
		best, side = math.Inf(1), 1
	}
	if fringe {
		best, move = w.fringe(maximize, alpha, beta, below < depth)
		if maximize && best <= alpha || !maximize && best >= beta {
			move = game.NoMove
		}
		return best, move
	}
	if first == len(w.moves) {
		w.moves = w.state.Moves(w.moves)
	}
	last := len(w.moves)
	ordered := !w.order.natural && last-first > 1
	if ordered {
		w.order.rank(w.moves[first:last], try, w.ply, side)
	}
	shares := w.busy != nil && depth >= minShared && w.ply < maxShared
	now := last // where the moves begin that are put off
	w.deeper()
	for i := first; i < last; i++ {
		if ordered && i < now-1 {
			pick(w.moves[i:now], w.order.ranks[ranked+i-first:ranked+now-first])
		}
		m := w.moves[i]
		if shares {
			for i > first && i < now && w.busy.has(key, m) {
				// Another thread is at it: perhaps the table will tell.
				now--
				w.moves[i], w.moves[now] = w.moves[now], m
				if ordered {
					ranks := w.order.ranks[ranked:]
					ranks[i-first], ranks[now-first] = ranks[now-first], ranks[i-first]
					if i < now {
						pick(w.moves[i:now], ranks[i-first:now-first])
					}
				}
				m = w.moves[i]
			}
			w.busy.enter(key, m)
		}
		w.play(m)
		lo, hi := alpha, beta
		scout := i > first && w.scout
		if scout {
			if maximize {
				hi = min(hi, above(lo))
			} else {
				lo = max(lo, under(hi))
			}
		}
		v := w.look(below, lo, hi)
		if scout && !w.meter.stopped && (maximize && v >= hi && v < beta || !maximize && v <= lo && v > alpha) {
			v = w.look(below, alpha, beta)
		}
		w.undo()
		if shares {
			w.busy.leave(key, m)
		}
		if w.meter.stopped {
			break
		}
		if maximize && v > best || !maximize && v < best {
			best = v
			if maximize && v > alpha || !maximize && v < beta {
				move = m
				if below < depth && v > alpha && v < beta {
					w.extend(m)
				} else {
					// As good as the table said at most: the line is the table's.
					w.line[w.ply-1] = w.line[w.ply-1][:0]
				}
				if w.cuts {
					if maximize {
						alpha = v
					} else {
						beta = v
					}
				}
			}
			if alpha >= beta {
				if i < last-1 {
					w.stats.BetaCuts++
				}
				if !w.order.natural {
					w.order.cut(m, w.ply-1, side, depth)
				}
				break
			}
		}
	}
	w.ply--
	w.moves, w.order.ranks = w.moves[:first], w.order.ranks[:ranked]
	return best, move
}

// deeper goes a ply down in the tables of lines and killers.
func (w *walker) deeper() {
	w.ply++
	if len(w.line) <= w.ply {
		w.line = append(w.line, nil)
	}
}

// extend makes m, then the line below it, the line of the ply above.
func (w *walker) extend(m game.Move) {
	w.line[w.ply-1] = append(append(w.line[w.ply-1][:0], m), w.line[w.ply]...)
}

// above and under are the nearest numbers on either side of a finite x.
func above(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }
func under(x float64) float64 { return math.Nextafter(x, math.Inf(-1)) }
