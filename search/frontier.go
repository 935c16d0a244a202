package search

import (
	"plyfit/game"
	"plyfit/search/internal/position"
)

// bindFrontier prepares the frontier for the current position. The parameter near enables the loop
// in [textbook.frontier], which requires that there is no observer and no search beyond the
// horizon.
func (t *textbook) bindFrontier(near bool) {
	t.near, t.peeker = near, nil
	if t.pos.Static.Constant {
		t.peeker, _ = t.pos.State.(game.MoveClassifier) // not found with game.As, because wrappers of s change the effects of moves
	}
}

// nearest is like frontier, but its window and its result are from the maximiser's point of view.
func (t *textbook) nearest(own position.View, alpha, beta float64, line bool) float64 {
	alpha, beta = own.Window(alpha, beta)
	v, _ := t.frontier(own, alpha, beta, line)
	return own.Of(v)
}

// frontier is the alpha-beta loop over moves that lead to the horizon. Most nodes are at the
// horizon, so frontier evaluates leaves directly instead of calling the search for each. If the
// evaluation is constant, a [game.MoveClassifier] determines which moves have to be played at all.
// frontier returns the same values and visits the same nodes as the loops in textbook and pvs.
//
// The results are the value of the current position, from the mover's point of view (the parameter
// v), and the best move. The move is undefined if all moves failed low. If line is set, frontier
// stores the best move as the principal variation.
func (t *textbook) frontier(v position.View, alpha, beta float64, line bool) (float64, game.Move) {
	var (
		pos    = &t.pos
		first  = len(pos.Moves)
		peeked = t.peeker != nil
		blank  = v.Of(pos.Static.Blank)
		over   uint64 // bit i is set if the i-th move ends the game
		chance uint64 // bit i is set if the i-th move leads to a chance node
		best   = -inf
		move   = game.NoMove
		low    = alpha
		blanks = 0
	)
	pos.Effort.Least = 0
	if peeked {
		pos.Moves, over, chance = t.peeker.ClassifyMoves(pos.Moves)
		if pos.Static.Afterstate && pos.Slip == nil {
			chance = 0
		}
	} else {
		pos.Moves = pos.State.Moves(pos.Moves)
	}
	moves := pos.Moves[first:]
	for i, m := range moves {
		x := blank
		switch {
		case !peeked || chance>>(i&63)&1 != 0:
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
			best, move = x, m
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
		t.pv.lines[t.pv.ply] = append(t.pv.lines[t.pv.ply][:0], move)
	}
	return best, move
}

// after returns the value of the position after the move m, which leads to the horizon.
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
