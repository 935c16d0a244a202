package search

import (
	"plyfit/game"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
)

// A drawing is a node at which the move is random: nature draws it, or a player follows a policy.
type drawing struct {
	first, last int // range of its moves in Position.Moves
	begin       int // index of its first probability in Nature.Probs
	spans       int // index of its first span in pvs.spans
	below       int // number of decisions from its children to the horizon
}

// chance returns the value of an averaging node: the probability-weighted sum of its moves' values.
// With Star1 and Star2 it may return a bound outside the window instead (star.go). The parameter
// ends is a span that contains the values of all moves. If a move caused a cutoff, chance also
// returns that move, so that it is searched first next time.
func (s *pvs) chance(n *node, alpha, beta float64, ends span) (float64, game.Move) {
	pos := &s.text.pos
	d := drawing{first: len(pos.Moves), begin: len(pos.Nature.Probs), spans: len(s.spans), below: n.below}
	pos.Moves = pos.State.Moves(pos.Moves)
	d.last = len(pos.Moves)
	pos.Weights(pos.Moves[d.first:])
	if !s.order.natural && s.star1 {
		likeliest(pos.Moves[d.first:d.last], pos.Nature.Probs[d.begin:], n.try)
	}
	s.text.pv.down()
	v, m, done := 0.0, game.NoMove, false
	if s.star1 {
		for range d.last - d.first {
			s.spans = append(s.spans, ends)
		}
		if s.star2 && d.below > 0 && pos.Nature.MinProb == 0 {
			v, m, done = s.probeAll(&d, alpha, beta)
		}
		if !done {
			s.sumUp(&d)
		}
	}
	if !done {
		v, m = s.successors(&d, alpha, beta)
	}
	s.text.pv.up()
	pos.Moves, pos.Nature.Probs, s.spans = pos.Moves[:d.first], pos.Nature.Probs[:d.begin], s.spans[:d.spans]
	return v, m
}

// successors returns the weighted sum of the moves' values. With Star1 it stops when the remaining
// moves cannot affect the result.
func (s *pvs) successors(d *drawing, alpha, beta float64) (float64, game.Move) {
	pos := &s.text.pos
	path := pos.Nature.Path
	x := 0.0
	for i := d.first; i < d.last; i++ {
		p := pos.Nature.Probs[d.begin+i-d.first]
		if p == 0 {
			continue
		}
		a, b := -inf, inf
		if s.star1 {
			a, b = s.window(d, i, p, x, alpha, beta)
		}
		m := pos.Moves[i]
		pos.Play(m)
		pos.Nature.Path = path * p
		var v float64
		if pos.Nature.Path < pos.Nature.MinProb {
			v = pos.Unlikely()
		} else {
			v = s.search(position.OfMax, d.below, a, b)
		}
		pos.Undo()
		if pos.Effort.Stopped() {
			return 0, game.NoMove
		}
		x += float64(p * v)
		if s.star1 && (v >= b || v <= a) {
			if i < d.last-1 {
				s.text.stats.ChanceCuts++
			}
			rest := s.rest(d, i)
			if v >= b {
				return max(beta, x+rest.lo), m
			}
			return min(alpha, x+rest.hi), m
		}
	}
	return x, game.NoMove
}

// likeliest sorts nature's moves by decreasing probability. The parameter try, a move that caused a
// cutoff before, comes first. Moves of equal probability keep the game's order.
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

// bindStar selects the pruning at chance nodes. The default is Star2 if two sides oppose each other
// in the search.
func (s *pvs) bindStar(c *config) {
	n := &s.text.pos.Nature
	rivals := n.Kind == assume.NatureOpposes || s.text.pos.Shape.Players == 2 && !n.Others
	s.star1 = s.cuts && c.Samples == 0 && c.Prune != NoPrune
	s.star2 = s.star1 && (c.Prune == Star2 || c.Prune == PruneDefault && rivals)
	s.spans = s.spans[:0]
}
