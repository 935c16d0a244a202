package search

import (
	"plyfit/game"
	"plyfit/search/internal/position"
)

// textbook is the search of the textbooks: Minimax-Search and Expectiminimax (Russell and Norvig,
// Artificial Intelligence, 4th ed., figure 5.3 and section 5.5), in this file and expectimax.go,
// and with prune Alpha-Beta-Search (figure 5.7), in alphabeta.go. Max is the player Position.Me,
// Min the side against him, and all values are Max's. It searches to the end of the game or to a
// depth in decisions, at which positions are evaluated.
type textbook struct {
	pos      position.Position
	pv       variation
	prune    bool     // alpha-beta
	through  bool     // lines go on through nature's choices
	qsearch  *qsearch // nil: leaves are evaluated as they stand
	observer Observer // nil: none watches
	stats    Stats    // but for the evaluations, which the position counts

	// Of the frontier (frontier.go):
	near   bool                // it is searched by a loop of its own
	peeker game.MoveClassifier // nil: moves must be made
	beyond searcher            // what searches on where nature is to move after the last decision
}

// searcher is textbook or the search that is built on it.
type searcher interface {
	search(v position.View, depth int, alpha, beta float64) float64
}

// value is that of the present position, depth decisions before the horizon. With prune it is exact
// inside (alpha, beta), elsewhere a bound on the same side (fail-soft: Fishburn 1983); without, the
// window is ignored.
func (t *textbook) value(depth int, alpha, beta float64) float64 {
	pos := &t.pos
	if !pos.Effort.Visit() {
		return 0
	}
	t.pv.clear()
	pos.Effort.Reach(depth)
	turn := pos.State.Turn()
	if depth == 1 && t.near && pos.Decides(turn) {
		return t.nearest(pos.Chooser(turn), alpha, beta, true) // most nodes are here
	}
	r, counts := pos.Role(turn, depth)
	below, line := depth, counts || t.through
	if counts {
		below--
	}
	var v float64
	switch {
	case r == position.Over:
		v = pos.Utility()
	case r == position.Leaf:
		v = t.leaf(alpha, beta)
	case r == position.Average:
		v = t.expectation(below)
	case below == 0 && t.near:
		v = t.nearest(r.View(), alpha, beta, line)
	case r == position.Maximum && t.prune:
		v = t.maxValue(below, alpha, beta, line)
	case r == position.Minimum && t.prune:
		v = t.minValue(below, alpha, beta, line)
	case r == position.Maximum:
		v = t.maxOf(below, line)
	default:
		v = t.minOf(below, line)
	}
	if t.observer != nil && !pos.Effort.Stopped() {
		observe(t.observer, pos, depth, v, alpha, beta)
	}
	return v
}

// maxOf is the value of a position at which Max chooses: the largest among the
// moves' values. They are depth decisions before the horizon.
func (t *textbook) maxOf(depth int, line bool) float64 {
	pos := &t.pos
	first, v := len(pos.Moves), -inf
	pos.Moves = pos.State.Moves(pos.Moves)
	last := len(pos.Moves)
	t.pv.down()
	for i := first; i < last && !pos.Effort.Stopped(); i++ {
		m := pos.Moves[i]
		pos.Play(m)
		x := t.value(depth, -inf, inf)
		pos.Undo()
		if x > v {
			v = x
			if line {
				t.pv.extend(m)
			}
		}
	}
	t.pv.up()
	pos.Moves = pos.Moves[:first]
	return v
}

// minOf is the value of a position at which Min chooses: the smallest.
func (t *textbook) minOf(depth int, line bool) float64 {
	pos := &t.pos
	first, v := len(pos.Moves), inf
	pos.Moves = pos.State.Moves(pos.Moves)
	last := len(pos.Moves)
	t.pv.down()
	for i := first; i < last && !pos.Effort.Stopped(); i++ {
		m := pos.Moves[i]
		pos.Play(m)
		x := t.value(depth, -inf, inf)
		pos.Undo()
		if x < v {
			v = x
			if line {
				t.pv.extend(m)
			}
		}
	}
	t.pv.up()
	pos.Moves = pos.Moves[:first]
	return v
}

// leaf is the value of a position at the horizon.
func (t *textbook) leaf(alpha, beta float64) float64 {
	if t.qsearch == nil {
		return t.pos.Evaluate()
	}
	turn := t.pos.State.Turn()
	if turn == game.Chance {
		return t.pos.Evaluate()
	}
	own := t.pos.Chooser(turn)
	alpha, beta = own.Window(alpha, beta)
	return own.Of(t.qsearch.search(own, alpha, beta))
}

// search is value for the searches that take numbers in the mover's view.
func (t *textbook) search(v position.View, depth int, alpha, beta float64) float64 {
	alpha, beta = v.Window(alpha, beta)
	return v.Of(t.value(depth, alpha, beta))
}
