package search

import (
	"math"
	"slices"

	"plyfit/game"
)

// grown searches the root decision depth decisions deep, its own included if
// it counts.
func (p *planner) grown(depth int, counts, maximize bool) float64 {
	w := &p.w
	below := depth
	if counts {
		below--
	}
	p.arrange(maximize)
	lo, hi := w.bounds()
	// Averages are rounded, differently on different ways to them: no halving.
	if !w.ignorant || !w.cuts || w.averages() || hi-lo-(hi-lo) != 0 {
		return p.pursue(below, maximize, math.Inf(-1), math.Inf(1))
	}
	// An evaluation that knows nothing leaves few values, so asking "more than
	// this?" with null windows halves what is possible at each step (as Pascal
	// Pons' solver does); the last loop then knows where to look.
	middle := w.shape.Min + float64((w.shape.Max-w.shape.Min)/2)
	for range maxHalvings {
		if lo >= hi || w.meter.stopped {
			break
		}
		mid := probing(lo-middle, hi-middle) + middle
		if v := p.pursue(below, maximize, mid, above(mid)); v > mid {
			lo = max(lo, v)
		} else {
			hi = min(hi, v)
		}
	}
	return p.pursue(below, maximize, under(lo), above(hi))
}

// probing is the value between lo and hi to ask about first, 0 being the middle
// of what the game can come to. Extreme values are told from the rest soonest,
// so of a range that spans the middle it halves the side that reaches farther.
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

// arrange puts the root's moves into the order to search them in: the best of
// the last loop first, then the others by their bounds.
func (p *planner) arrange(maximize bool) {
	w := &p.w
	if w.order.natural {
		return
	}
	slices.SortStableFunc(p.order, func(i, j int) int {
		if a, b := i == p.best, j == p.best; a != b {
			if a {
				return -1
			}
			return 1
		}
		a, b := p.root[i].Value, p.root[j].Value
		if !maximize {
			a, b = b, a
		}
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
}

// line is the principal variation as far as the last loop tells it, and on
// from there by the table's moves, until chance, the end, or depth decisions.
func (p *planner) line(depth int) []game.Move {
	w := &p.w
	pv := slices.Clone(w.line[0])
	if w.table == nil || len(pv) == 0 {
		return pv
	}
	for _, m := range pv {
		w.state.Play(m)
	}
	for len(pv) < depth && w.state.Turn() >= 0 && !w.others {
		e, ok := w.table.probe(w.table.key(w.state.Hash(), w.view), 0)
		if !ok || e.move == game.NoMove {
			break
		}
		begin := len(w.moves)
		w.moves = w.state.Moves(w.moves)
		legal := slices.Contains(w.moves[begin:], e.move)
		w.moves = w.moves[:begin]
		if !legal {
			break
		}
		pv = append(pv, e.move)
		w.state.Play(e.move)
	}
	for range pv {
		w.state.Undo()
	}
	return pv
}

// pursue is the grown-up loop over the root's moves: principal variation
// search in the window (alpha, beta), the best move of the last loop first.
// Moves that stand before the best in the game's order are asked whether they
// are as good as it, those behind it whether they are better: so the move is
// the first of the best ones whatever order they are searched in.
func (p *planner) pursue(depth int, maximize bool, alpha, beta float64) float64 {
	w := &p.w
	w.nodes++
	w.ply = 0
	w.line[0] = w.line[0][:0]
	// For the mover: a value is better than another, a window goes from what is
	// to be beaten to what is too good.
	better := func(a, b float64) bool { return a > b == maximize && a != b }
	window := func(from, to float64) (lo, hi float64) { return from, to }
	up, down := above, under
	best, from, to := math.Inf(-1), alpha, beta
	if !maximize {
		window = func(from, to float64) (lo, hi float64) { return to, from }
		up, down = under, above
		best, from, to = math.Inf(1), beta, alpha
	}
	at := -1
	w.deeper()
	for n, i := range p.order {
		r := &p.root[i]
		beat, near := from, 0.0
		if i < at && w.cuts {
			near = rounding(best)
			if maximize {
				beat = down(best - near)
			} else {
				beat = down(best + near)
			}
		}
		w.play(r.Move)
		lo, hi := window(beat, to)
		var v float64
		scout := n > 0 && at >= 0 && w.scout
		if scout {
			lo, hi = window(beat, up(beat))
			v = w.look(depth, lo, hi)
		}
		if !scout || better(v, beat) && !w.meter.stopped {
			lo, hi = window(beat, to)
			v = w.look(depth, lo, hi)
		}
		w.undo()
		if w.meter.stopped {
			break
		}
		r.Value, r.Kind = v, kindOf(v, lo, hi)
		if !w.cuts {
			r.Kind = Exact
		}
		tie := i < at && r.Kind == Exact && !better(v, best) && math.Abs(v-best) <= near
		if !tie && !better(v, best) {
			continue
		}
		if tie {
			r.Value = best
		}
		best = r.Value
		if r.Kind == Exact {
			at, p.best = i, i
			w.extend(r.Move)
		}
		if w.cuts && better(best, from) {
			if from = best; !better(to, from) {
				break
			}
		}
	}
	w.ply = 0
	return best
}
