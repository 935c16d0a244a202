package search

import "math"

// inf is beyond every value: (-inf, inf) is the open window.
var inf = math.Inf(1)

// maxValue, the plain search that [pvs], the default, is tested against, is Max-Value of Alpha-Beta-Search (Russell and Norvig, figure 5.7; Knuth and Moore 1975,
// procedure F2): the value of a position at which Max chooses. Max is already sure of alpha
// elsewhere, Min of beta, so at beta the other moves are cut. The moves are depth decisions before
// the horizon; with line the best is kept.
func (t *textbook) maxValue(depth int, alpha, beta float64, line bool) float64 {
	pos := &t.pos
	first, v := len(pos.Moves), -inf
	pos.Moves = pos.State.Moves(pos.Moves)
	last := len(pos.Moves)
	t.pv.down()
	for i := first; i < last; i++ {
		m := pos.Moves[i]
		pos.Play(m)
		x := t.value(depth, alpha, beta)
		pos.Undo()
		if x > v {
			v = x
			if line && alpha < x && x < beta {
				t.pv.extend(m)
			}
			alpha = max(alpha, v)
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
	return v
}

// minValue is Min-Value of Alpha-Beta-Search: the value of a position at which
// Min chooses. A value that is at most alpha will not be reached.
func (t *textbook) minValue(depth int, alpha, beta float64, line bool) float64 {
	pos := &t.pos
	first, v := len(pos.Moves), inf
	pos.Moves = pos.State.Moves(pos.Moves)
	last := len(pos.Moves)
	t.pv.down()
	for i := first; i < last; i++ {
		m := pos.Moves[i]
		pos.Play(m)
		x := t.value(depth, alpha, beta)
		pos.Undo()
		if x < v {
			v = x
			if line && alpha < x && x < beta {
				t.pv.extend(m)
			}
			beta = min(beta, v)
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
	return v
}
