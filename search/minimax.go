package search

import "plyfit/game"

// textbook is the search of the textbooks: Minimax-Search and Expectiminimax
// (Russell and Norvig, Artificial Intelligence, 4th ed., figure 5.3 and section
// 5.5), in this file and expectimax.go, and with prune Alpha-Beta-Search (figure
// 5.7), in alphabeta.go. Max is the player position.me, Min whoever wants him to
// get little, and all values are Max's.
//
// It searches to the end of the game or to a horizon: a depth in decisions, at
// which positions are evaluated.
type textbook struct {
	pos      position
	pv       variation
	prune    bool     // alpha-beta
	through  bool     // lines go on through nature's choices
	qsearch  *qsearch // nil: leaves are evaluated as they stand
	observer Observer // nil: nobody watches

	// Of the frontier (frontier.go):
	near   bool                // it is searched by a loop of its own
	peeker game.MoveClassifier // nil: moves must be made
	beyond searcher            // what searches on where nature is to move after the last decision
}

// searcher is textbook or the search that is built on it.
type searcher interface {
	search(v view, depth int, alpha, beta float64) float64
}

// value is that of the present position, depth decisions before the horizon. With
// prune it is exact inside (alpha, beta), elsewhere a bound on the same side
// (fail-soft: Fishburn 1983); without, the window means nothing.
func (t *textbook) value(depth int, alpha, beta float64) float64 {
	pos := &t.pos
	if !pos.effort.visit() {
		return 0
	}
	t.pv.clear()
	pos.effort.reach(depth)
	r, counts := pos.role(pos.state.Turn(), depth)
	below, line := depth, counts || t.through
	if counts {
		below--
	}
	var v float64
	switch {
	case r == over:
		v = pos.utility()
	case r == leaf:
		v = t.leaf(alpha, beta)
	case r == average:
		v = t.expectation(below)
	case below == 0 && t.near:
		own := r.view()
		lo, hi := own.window(alpha, beta)
		v, _ = t.frontier(own, lo, hi, line)
		v = own.of(v)
	case r == maximum && t.prune:
		v = t.maxValue(below, alpha, beta, line)
	case r == minimum && t.prune:
		v = t.minValue(below, alpha, beta, line)
	case r == maximum:
		v = t.maxOf(below, line)
	default:
		v = t.minOf(below, line)
	}
	if t.observer != nil && !pos.effort.meter.stopped {
		pos.observe(t.observer, depth, v, alpha, beta)
	}
	return v
}

// maxOf is the value of a position at which Max chooses: the largest among the
// moves' values. They are depth decisions before the horizon.
func (t *textbook) maxOf(depth int, line bool) float64 {
	pos := &t.pos
	first, v := len(pos.moves), -inf
	pos.moves = pos.state.Moves(pos.moves)
	last := len(pos.moves)
	t.pv.down()
	for i := first; i < last && !pos.effort.meter.stopped; i++ {
		m := pos.moves[i]
		pos.play(m)
		x := t.value(depth, -inf, inf)
		pos.undo()
		if x > v {
			v = x
			if line {
				t.pv.extend(m)
			}
		}
	}
	t.pv.up()
	pos.moves = pos.moves[:first]
	return v
}

// minOf is the value of a position at which Min chooses: the smallest.
func (t *textbook) minOf(depth int, line bool) float64 {
	pos := &t.pos
	first, v := len(pos.moves), inf
	pos.moves = pos.state.Moves(pos.moves)
	last := len(pos.moves)
	t.pv.down()
	for i := first; i < last && !pos.effort.meter.stopped; i++ {
		m := pos.moves[i]
		pos.play(m)
		x := t.value(depth, -inf, inf)
		pos.undo()
		if x < v {
			v = x
			if line {
				t.pv.extend(m)
			}
		}
	}
	t.pv.up()
	pos.moves = pos.moves[:first]
	return v
}

// leaf is the value of a position at the horizon.
func (t *textbook) leaf(alpha, beta float64) float64 {
	turn := t.pos.state.Turn()
	if t.qsearch == nil || turn == game.Chance {
		return t.pos.evaluate()
	}
	own := t.pos.chooser(turn)
	alpha, beta = own.window(alpha, beta)
	return own.of(t.qsearch.search(own, alpha, beta))
}

// search is value for the searches that take numbers in the mover's view.
func (t *textbook) search(v view, depth int, alpha, beta float64) float64 {
	alpha, beta = v.window(alpha, beta)
	return v.of(t.value(depth, alpha, beta))
}
