package search

import (
	"math"

	"plyfit/game"
)

// star is look at a chance node, with the names of Ballard (1983, "The
// *-Minimax Search Procedure for Trees Containing Chance Nodes") and of Hauk,
// Buro and Schaeffer (2004, "Rediscovering *-Minimax Search"): successors i of
// probability P_i and value V_i lie in [L_i, U_i]; the node's value is the sum
// of P_i V_i and is wanted if inside (alpha, beta).
//
// Star1: with X_i the sum of P_j V_j for j < i, successor i matters only inside
//
//	A_i = (alpha - X_i - sum over j > i of P_j U_j) / P_i
//	B_i = (beta  - X_i - sum over j > i of P_j L_j) / P_i
//
// V_i <= A_i makes the node's value at most alpha whatever comes after it, and
// V_i >= B_i makes it at least beta: both end the node.
//
// Star2 first probes: one move of a successor at which a player chooses bounds
// that successor from his side (W_i), for less than its value costs. The bounds
// of the probes take the places of L_j and U_j, and the node may end before
// any successor was searched.
//
// It returns the value, or a bound outside of the window, and the move of
// nature's that ended the node, if one did.
func (w *walker) star(below int, alpha, beta float64, ends span, try game.Move) (float64, game.Move) {
	first, begin, edge := len(w.moves), len(w.probs), len(w.edges)
	w.moves = w.state.Moves(w.moves)
	last := len(w.moves)
	w.weights(w.moves[first:])
	if !w.order.natural && w.prune1 {
		likeliest(w.moves[first:last], w.probs[begin:], try)
	}
	for range last - first {
		w.edges = append(w.edges, ends)
	}
	w.deeper()
	v, m := w.successors(first, last, begin, edge, below, alpha, beta)
	w.ply--
	w.moves, w.probs, w.edges = w.moves[:first], w.probs[:begin], w.edges[:edge]
	return v, m
}

// span is [L_i, U_i], and later the sums of P_j L_j and of P_j U_j for j >= i.
type span struct{ lo, hi float64 }

func (w *walker) successors(first, last, begin, edge, below int, alpha, beta float64) (float64, game.Move) {
	n := last - first
	path := w.prob
	if w.prune2 && below > 0 && w.minProb == 0 {
		if v, m, done := w.probes(first, last, begin, edge, below, alpha, beta); done {
			return v, m
		}
	}
	// From here on edges[i] sums over all j >= i.
	var rest span
	for i := n - 1; i >= 0; i-- {
		e, p := &w.edges[edge+i], w.probs[begin+i]
		if p > 0 {
			rest.lo += float64(p * e.lo)
			rest.hi += float64(p * e.hi)
		}
		*e = rest
	}
	x := 0.0
	for i := range n {
		p := w.probs[begin+i]
		if p == 0 {
			continue
		}
		var after span
		if i < n-1 {
			after = w.edges[edge+i+1]
		}
		a, b := math.Inf(-1), math.Inf(1)
		if w.prune1 {
			a, b = (alpha-x-after.hi)/p, (beta-x-after.lo)/p
			if a >= b { // a null window that rounding closed
				b = above(a)
			}
		}
		m := w.moves[first+i]
		w.play(m)
		w.prob = path * p
		var v float64
		if w.prob < w.minProb {
			v = w.glance()
		} else {
			v = w.look(below, a, b)
		}
		w.undo()
		if w.meter.stopped {
			return 0, game.NoMove
		}
		switch {
		case w.prune1 && v >= b:
			if i < n-1 {
				w.stats.ChanceCuts++
			}
			return max(beta, x+float64(p*v)+after.lo), m
		case w.prune1 && v <= a:
			if i < n-1 {
				w.stats.ChanceCuts++
			}
			return min(alpha, x+float64(p*v)+after.hi), m
		}
		x += float64(p * v)
	}
	return x, game.NoMove
}

// probes is the first phase of Star2.
func (w *walker) probes(first, last, begin, edge, below int, alpha, beta float64) (float64, game.Move, bool) {
	n := last - first
	var sum span
	for i := range n {
		p := w.probs[begin+i]
		if p > 0 {
			sum.lo += float64(p * w.edges[edge+i].lo)
			sum.hi += float64(p * w.edges[edge+i].hi)
		}
	}
	if sum.lo-sum.lo != 0 || sum.hi-sum.hi != 0 {
		return 0, game.NoMove, false // unbounded: no probe can end the node
	}
	// Bounds from below can only end the node at beta, those from above at alpha.
	fromBelow, fromAbove := sum.hi > beta, sum.lo < alpha
	if !fromBelow && !fromAbove {
		return 0, game.NoMove, false
	}
	for i := range n {
		p := w.probs[begin+i]
		if p == 0 {
			continue
		}
		m, e := w.moves[first+i], &w.edges[edge+i]
		sum.lo -= float64(p * e.lo)
		sum.hi -= float64(p * e.hi)
		w.play(m)
		w.probe(e, below, (alpha-sum.hi)/p, (beta-sum.lo)/p, fromBelow, fromAbove)
		w.undo()
		if w.meter.stopped {
			return 0, game.NoMove, true
		}
		sum.lo += float64(p * e.lo)
		sum.hi += float64(p * e.hi)
		if sum.lo >= beta {
			w.stats.ChanceCuts++
			return sum.lo, m, true
		}
		if sum.hi <= alpha {
			w.stats.ChanceCuts++
			return sum.hi, m, true
		}
	}
	return 0, game.NoMove, false
}

// probe narrows e, the bounds of the present position, by what is known of it
// and, where a bound from that side can matter, by the value of one move.
func (w *walker) probe(e *span, depth int, a, b float64, fromBelow, fromAbove bool) {
	r, counts := w.role(w.state.Turn(), depth)
	if r == over {
		e.lo = w.utility()
		e.hi = e.lo
		return
	}
	if w.bounder != nil {
		lo, hi := w.bounds()
		e.lo, e.hi = max(e.lo, lo), min(e.hi, hi)
	}
	try := game.NoMove
	if w.table != nil {
		w.stats.Probes++
		if t, ok := w.table.probe(w.table.key(w.state.Hash(), w.view), depth); ok {
			w.stats.Hits++
			try = t.move
			if t.answers(depth) && (t.lo > e.lo || t.hi < e.hi) {
				if !t.complete {
					w.guess++
				}
				e.lo, e.hi = max(e.lo, t.lo), min(e.hi, t.hi)
			}
		}
	}
	if !(r == maximum && fromBelow || r == minimum && fromAbove) || e.lo >= b || e.hi <= a || e.lo >= e.hi {
		return
	}
	first, ranked := len(w.moves), len(w.order.ranks)
	w.moves = w.state.Moves(w.moves)
	side := 0
	if r == minimum {
		side = 1
	}
	if !w.order.natural {
		w.order.rank(w.moves[first:], try, w.ply, side)
		pick(w.moves[first:], w.order.ranks[ranked:])
	}
	m := w.moves[first]
	w.moves, w.order.ranks = w.moves[:first], w.order.ranks[:ranked]
	if counts {
		depth--
	}
	w.nodes++
	w.deeper()
	w.play(m)
	if r == maximum {
		if v := w.look(depth, e.lo, min(e.hi, b)); !w.meter.stopped {
			e.lo = max(e.lo, min(e.hi, v))
		}
	} else if v := w.look(depth, max(e.lo, a), e.hi); !w.meter.stopped {
		e.hi = min(e.hi, max(e.lo, v))
	}
	w.undo()
	w.ply--
}

// likeliest orders nature's moves: the one that ended the node before, then by
// probability, among equals in the game's order.
func likeliest(moves []game.Move, probs []float64, try game.Move) {
	for i := 1; i < len(moves); i++ {
		m, p := moves[i], probs[i]
		j := i
		for ; j > 0 && moves[j-1] != try && (m == try || p > probs[j-1]); j-- {
			moves[j], probs[j] = moves[j-1], probs[j-1]
		}
		moves[j], probs[j] = m, p
	}
}
