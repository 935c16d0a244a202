package search

import (
	"plyfit/game"
	"plyfit/search/internal/position"
)

// Star1 and Star2 (Ballard 1983, "The *-Minimax Search Procedure for Trees Containing Chance
// Nodes"; Hauk, Buro and Schaeffer 2004, "Rediscovering *-Minimax Search") prune chance nodes.
// Successor i has the probability P_i and a value V_i in [L_i, U_i]. The sum of P_i V_i has to be
// computed exactly only if it lies inside (alpha, beta).

// window returns the window in which Star1 searches successor i. The parameter x is X_i, the sum of
// P_j V_j over j < i. The window is
//
//	A_i = (alpha - X_i - sum over j > i of P_j U_j) / P_i
//	B_i = (beta  - X_i - sum over j > i of P_j L_j) / P_i
//
// If V_i <= A_i, the node's value is at most alpha whatever follows. If V_i >= B_i, it is at least
// beta. Both cases cause a cutoff at the chance node.
func (s *pvs) window(d *drawing, i int, p, x, alpha, beta float64) (a, b float64) {
	rest := s.rest(d, i)
	a, b = (alpha-x-rest.hi)/p, (beta-x-rest.lo)/p
	if a >= b { // rounding errors closed a null window
		b = position.Above(a)
	}
	return a, b
}

// rest returns the sums of P_j L_j and P_j U_j over the successors j > i. sumUp must have been
// called.
func (s *pvs) rest(d *drawing, i int) (rest span) {
	if i < d.last-1 {
		rest = s.spans[d.spans+i-d.first+1]
	}
	return rest
}

// sumUp replaces each L_i and U_i with the sums of P_j L_j and P_j U_j over j >= i.
func (s *pvs) sumUp(d *drawing) {
	var rest span
	spans, probs := s.spans[d.spans:], s.text.pos.Nature.Probs[d.begin:]
	for i := len(spans) - 1; i >= 0; i-- {
		if p := probs[i]; p > 0 {
			rest.lo += float64(p * spans[i].lo)
			rest.hi += float64(p * spans[i].hi)
		}
		spans[i] = rest
	}
}

// probeAll is the first phase of Star2. At each successor at which a player chooses, it searches a
// single move if the move's value can matter. This value is a bound on the successor's value and
// cheaper to compute. The bounds replace L_j or U_j and may cause a cutoff before any successor is
// searched completely.
func (s *pvs) probeAll(d *drawing, alpha, beta float64) (float64, game.Move, bool) {
	pos := &s.text.pos
	var sum span
	for i := range d.last - d.first {
		if p, e := pos.Nature.Probs[d.begin+i], s.spans[d.spans+i]; p > 0 {
			sum.lo += float64(p * e.lo)
			sum.hi += float64(p * e.hi)
		}
	}
	if sum.lo-sum.lo != 0 || sum.hi-sum.hi != 0 {
		return 0, game.NoMove, false // unbounded, so no probe can cause a cutoff
	}
	// Lower bounds can cause a cutoff only at beta, and upper bounds only at alpha.
	fromBelow, fromAbove := sum.hi > beta, sum.lo < alpha
	if !fromBelow && !fromAbove {
		return 0, game.NoMove, false
	}
	for i := range d.last - d.first {
		p := pos.Nature.Probs[d.begin+i]
		if p == 0 {
			continue
		}
		m, e := pos.Moves[d.first+i], s.spans[d.spans+i]
		sum.lo -= float64(p * e.lo)
		sum.hi -= float64(p * e.hi)
		pos.Play(m)
		e = s.probeOne(e, d.below, span{(alpha - sum.hi) / p, (beta - sum.lo) / p}, fromBelow, fromAbove)
		pos.Undo()
		if pos.Effort.Stopped() {
			return 0, game.NoMove, true
		}
		s.spans[d.spans+i] = e
		sum.lo += float64(p * e.lo)
		sum.hi += float64(p * e.hi)
		if sum.lo >= beta {
			s.text.stats.ChanceCuts++
			return sum.lo, m, true
		}
		if sum.hi <= alpha {
			s.text.stats.ChanceCuts++
			return sum.hi, m, true
		}
	}
	return 0, game.NoMove, false
}

// probeOne uses the known bounds to narrow the span e, which contains the value of the current
// position. If a bound from a single move can matter, it also searches that move in the window w.
func (s *pvs) probeOne(e span, depth int, w span, fromBelow, fromAbove bool) span {
	pos := &s.text.pos
	r, counts := pos.Role(pos.State.Turn(), depth)
	if r == position.Over {
		v := pos.Utility()
		return span{v, v}
	}
	if pos.Bounder != nil {
		e = e.and(pos.Bounds())
	}
	n := node{role: r, own: r.View(), depth: depth, below: depth, first: len(pos.Moves), try: game.NoMove}
	if s.table != nil {
		e.lo, e.hi = n.own.Window(e.lo, e.hi)
		n.key = s.place()
		s.probe(&n, &e)
		e.lo, e.hi = n.own.Window(e.lo, e.hi)
	}
	if !(r == position.Maximum && fromBelow || r == position.Minimum && fromAbove) || e.lo >= w.hi || e.hi <= w.lo || e.lo >= e.hi {
		return e
	}
	m := s.first(&n)
	if counts {
		n.below--
	}
	pos.Effort.Nodes++
	s.text.pv.down()
	pos.Play(m)
	if r == position.Maximum {
		if v := s.search(position.OfMax, n.below, e.lo, min(e.hi, w.hi)); !pos.Effort.Stopped() {
			e.lo = max(e.lo, min(e.hi, v))
		}
	} else if v := s.search(position.OfMax, n.below, max(e.lo, w.lo), e.hi); !pos.Effort.Stopped() {
		e.hi = min(e.hi, max(e.lo, v))
	}
	pos.Undo()
	s.text.pv.up()
	return e
}
