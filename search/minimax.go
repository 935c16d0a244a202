package search

import (
	"math"

	"plyfit/game"
	"plyfit/search/internal/position"
)

// inf bounds every value, so (-inf, inf) is the open window.
var inf = math.Inf(1)

// textbook implements the search algorithms as textbooks give them: Minimax-Search and
// Expectiminimax (Russell and Norvig, Artificial Intelligence, 4th ed., figure 5.3 and section 5.5)
// or, if prune is set, Alpha-Beta-Search (figure 5.7). The code is in this file and in
// expectimax.go. Max is the player Position.Me, and Min is the opponent. All values are from Max's
// point of view. The search continues to the end of the game, or to a depth in decisions at which
// positions are evaluated.
type textbook struct {
	pos      position.Position
	pv       variation
	prune    bool     // use alpha-beta
	through  bool     // principal variations continue past nature's moves
	qsearch  *qsearch // nil if leaves are evaluated statically
	observer Observer // nil if there is none
	stats    Stats    // all counters except evaluations, which the position counts

	// The remaining fields are used by the frontier (frontier.go).
	near   bool                // the loop of frontier searches the last decision
	peeker game.MoveClassifier // nil if moves must be played
	beyond searches            // continues the search if nature moves after the last decision
}

// searches is the type of textbook.search and of the fast search built on it.
type searches func(v position.View, depth int, alpha, beta float64) float64

// value returns the value of the current position. depth is the number of decisions from the
// position to the horizon. With prune, the value is exact if it lies inside (alpha, beta), and
// otherwise a bound on the same side (fail-soft: Fishburn 1983). Without prune the window is
// ignored.
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

// decision returns the value of a position at which a player chooses a move. From that player's
// point of view (the parameter own), the value is the maximum over the moves, so a single function
// serves as Max-Value and Min-Value. Without prune the window is open.
//
// With prune, this is the plain search (Knuth and Moore 1975, procedure F2) against which the
// default, [pvs], is tested. Max can already get alpha elsewhere, and Min can hold Max to beta, so
// the remaining moves are cut once alpha and beta meet. depth is the number of decisions from the
// positions after the moves to the horizon. If line is set, decision keeps the principal variation.
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

// known reports whether the value of a node with the role r is known without a search below the
// node.
func (t *textbook) known(r position.Role) bool {
	return r == position.Over || r == position.Leaf && t.qsearch == nil
}

// search is like value, but its window and its result are from the mover's point of view.
func (t *textbook) search(v position.View, depth int, alpha, beta float64) float64 {
	alpha, beta = v.Window(alpha, beta)
	return v.Of(t.value(depth, alpha, beta))
}

// A variation is the triangular table of principal variations. lines[p] contains the best moves
// found from ply p of the current line onwards.
type variation struct {
	ply   int
	lines [][]game.Move
}

// restart returns to the root and empties its line.
func (v *variation) restart() {
	v.ply = 0
	if len(v.lines) == 0 {
		v.lines = make([][]game.Move, 1)
	}
	v.clear()
}

func (v *variation) clear() { v.lines[v.ply] = v.lines[v.ply][:0] }

// down moves to the next ply, and up moves back.
func (v *variation) down() {
	v.ply++
	if len(v.lines) <= v.ply {
		v.lines = append(v.lines, nil)
	}
}

func (v *variation) up() { v.ply-- }

// extend sets the line of the previous ply to m followed by the line of the current ply.
func (v *variation) extend(m game.Move) {
	v.lines[v.ply-1] = append(append(v.lines[v.ply-1][:0], m), v.lines[v.ply]...)
}
