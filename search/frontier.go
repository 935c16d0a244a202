package search

import (
	"plyfit/game"
	"plyfit/search/internal/position"
)

// bindFrontier takes over what the position has to offer. near reports whether
// no one watches, and nothing is searched beyond the horizon.
func (t *textbook) bindFrontier(near bool) {
	t.near, t.peeker = near, nil
	if t.pos.Static.Constant {
		t.peeker, _ = t.pos.State.(game.MoveClassifier) // not one inside a wrapper, which does more
	}
}

// nearest is frontier for the searches that take numbers in the maximizer's view.
func (t *textbook) nearest(own position.View, alpha, beta float64, line bool) float64 {
	alpha, beta = own.Window(alpha, beta)
	v, _ := t.frontier(own, alpha, beta, line)
	return own.Of(v)
}

// frontier is the loop of alpha-beta over moves that lead to the horizon, where most nodes are. It
// evaluates leaves without a call of the search for each, and where the evaluation is constant a
// [game.MoveClassifier] tells which moves have to be made at all. It finds what the loops of
// textbook and pvs find, node for node.
//
// It returns the value of the present position in the view v, the mover's, and its best move, which
// is undefined if all failed low. With line it is kept.
func (t *textbook) frontier(v position.View, alpha, beta float64, line bool) (float64, game.Move) {
	var (
		pos    = &t.pos
		first  = len(pos.Moves)
		peeked = t.peeker != nil
		blank  = v.Of(pos.Static.Blank)
		over   uint64 // what was peeked at and is finished,
		open   uint64 // or goes on
		best   = -inf
		at     = game.NoMove
		low    = alpha
		blanks = 0
	)
	pos.Effort.Least = 0
	if peeked {
		pos.Moves, over, open = t.peeker.ClassifyMoves(pos.Moves)
		if pos.Static.Afterstate && pos.Slip == nil {
			open = 0
		}
	} else {
		pos.Moves = pos.State.Moves(pos.Moves)
	}
	moves := pos.Moves[first:]
	for i, m := range moves {
		x := blank
		switch {
		case !peeked || open>>(i&63)&1 != 0:
			x = t.after(m, v, alpha, beta)
		case over>>(i&63)&1 != 0:
			pos.Effort.Nodes++
			pos.State.Play(m)
			x = v.Of(pos.State.Utility(pos.Me))
			pos.State.Undo()
		default:
			blanks++
		}
		if x > best {
			best, at = x, m
			if x > alpha && t.prune {
				alpha = x
			}
		}
		if alpha >= beta && t.prune {
			if i < len(moves)-1 {
				t.stats.BetaCuts++
			}
			break
		}
	}
	pos.Moves = pos.Moves[:first]
	pos.Effort.Nodes += int64(blanks)
	pos.Effort.Estimates += int64(blanks)
	pos.Effort.Evaluations += int64(blanks)
	if line && low < best && best < beta {
		t.pv.lines[t.pv.ply] = append(t.pv.lines[t.pv.ply][:0], at)
	}
	return best, at
}

// after is what the move m leads to at the horizon.
func (t *textbook) after(m game.Move, v position.View, alpha, beta float64) (x float64) {
	pos := &t.pos
	pos.Play(m)
	switch turn := pos.State.Turn(); {
	case turn >= 0 || turn == game.Chance && pos.Static.Afterstate && pos.Slip == nil:
		pos.Effort.Nodes++
		x = v.Of(pos.Evaluate())
	case turn == game.Nobody:
		pos.Effort.Nodes++
		x = v.Of(pos.Utility())
	default:
		x = t.beyond(v, 0, alpha, beta)
	}
	pos.Undo()
	return x
}
