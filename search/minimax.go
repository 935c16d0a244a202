package search

import (
	"math"

	"plyfit/game"
	"plyfit/search/internal/position"
)

// inf is beyond every value: (-inf, inf) is the open window.
var inf = math.Inf(1)

// textbook is the search of the textbooks: Minimax-Search and Expectiminimax (Russell and Norvig,
// Artificial Intelligence, 4th ed., figure 5.3 and section 5.5), in this file and expectimax.go,
// and with prune Alpha-Beta-Search (figure 5.7). Max is the player Position.Me, Min the side
// against him, and all values are Max's. It searches to the end of the game or to a depth in
// decisions, at which positions are evaluated.
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
	beyond searches            // on, if nature is to move after the last decision
}

// searches is textbook.search, or that of the search built on it.
type searches func(v position.View, depth int, alpha, beta float64) float64

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
	default:
		v = t.decision(r.View(), below, alpha, beta, line)
	}
	if t.observer != nil && !pos.Effort.Stopped() {
		observe(t.observer, pos, r, depth, v, alpha, beta, t.known(r))
	}
	return v
}

// decision is the value of a position at which a player chooses: in his view, own, the largest of
// the moves' values, so that Max-Value and Min-Value are one. Without prune the window is open.
// With it, this is the plain search that [pvs], the default, is tested against (Knuth and Moore
// 1975, procedure F2): Max is already sure of alpha elsewhere, Min of beta, so where they meet the
// other moves are cut. The moves are depth decisions before the horizon; with line the best is kept.
func (t *textbook) decision(own position.View, depth int, alpha, beta float64, line bool) float64 {
	pos := &t.pos
	first, v := len(pos.Moves), -inf
	if !t.prune {
		alpha, beta = -inf, inf
	}
	pos.Moves = pos.State.Moves(pos.Moves)
	last := len(pos.Moves)
	t.pv.down()
	for i := first; i < last; i++ {
		m := pos.Moves[i]
		pos.Play(m)
		x := t.value(depth, alpha, beta)
		pos.Undo()
		if gain := own.Of(x); gain > v {
			v = gain
			if line && (alpha < x && x < beta || !t.prune) {
				t.pv.extend(m)
			}
			switch {
			case !t.prune:
			case own == position.OfMax:
				alpha = max(alpha, x)
			default:
				beta = min(beta, x)
			}
		}
		if alpha >= beta {
			if i < last-1 {
				t.stats.BetaCuts++
			}
			break
		}
		if pos.Effort.Stopped() {
			break
		}
	}
	t.pv.up()
	pos.Moves = pos.Moves[:first]
	return own.Of(v)
}

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

// known reports whether a node of role r has its value from a look at the position alone.
func (t *textbook) known(r position.Role) bool {
	return r == position.Over || r == position.Leaf && t.qsearch == nil
}

// search is value for the searches that take numbers in the mover's view.
func (t *textbook) search(v position.View, depth int, alpha, beta float64) float64 {
	alpha, beta = v.Window(alpha, beta)
	return v.Of(t.value(depth, alpha, beta))
}

// variation is the triangular table of principal variations: by ply of the line
// at hand, the moves that were best from there on.
type variation struct {
	ply   int
	lines [][]game.Move
}

// restart goes back to the root, whose line is empty.
func (v *variation) restart() {
	v.ply = 0
	if len(v.lines) == 0 {
		v.lines = make([][]game.Move, 1)
	}
	v.clear()
}

func (v *variation) clear() { v.lines[v.ply] = v.lines[v.ply][:0] }

// down goes to the next ply, up back from it.
func (v *variation) down() {
	v.ply++
	if len(v.lines) <= v.ply {
		v.lines = append(v.lines, nil)
	}
}

func (v *variation) up() { v.ply-- }

// extend makes m, then the line of the present ply, the line of the ply above.
func (v *variation) extend(m game.Move) {
	v.lines[v.ply-1] = append(append(v.lines[v.ply-1][:0], m), v.lines[v.ply]...)
}
