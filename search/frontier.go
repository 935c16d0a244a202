package search

import "plyfit/game"

// bindFrontier takes over what the position has to offer. near reports whether
// nobody watches, and nothing is searched beyond the horizon.
func (t *textbook) bindFrontier(near bool) {
	t.near, t.peeker = near, nil
	if t.pos.static.constant {
		t.peeker, _ = t.pos.state.(game.MoveClassifier) // not one inside a wrapper, which does more
	}
}

// frontier is the loop of alpha-beta over moves that lead to the horizon. Most
// nodes of a search are visited there, so its leaves are evaluated without a call
// of the search for each, and where the evaluation says the same of all, a
// [game.MoveClassifier] tells which moves have to be made at all. It finds what the
// loops of textbook and pvs find, node for node ([BenchmarkFrontier] tells what it
// buys).
//
// It returns the value of the present position in the view v, which is the mover's,
// and its best move, which means nothing where all failed low. With line it is kept.
func (t *textbook) frontier(v view, alpha, beta float64, line bool) (float64, game.Move) {
	var (
		pos    = &t.pos
		first  = len(pos.moves)
		peeked = t.peeker != nil
		blank  = v.of(pos.static.blank)
		over   uint64 // what was peeked at and is finished,
		open   uint64 // or goes on
		best   = -inf
		at     = game.NoMove
		low    = alpha
		blanks = 0
	)
	pos.effort.least = 0
	if peeked {
		pos.moves, over, open = t.peeker.ClassifyMoves(pos.moves)
		if pos.static.afterstate && pos.slip == nil {
			open = 0
		}
	} else {
		pos.moves = pos.state.Moves(pos.moves)
	}
	moves := pos.moves[first:]
	for i, m := range moves {
		x := blank
		switch {
		case !peeked || open>>(i&63)&1 != 0:
			x = t.after(m, v, alpha, beta)
		case over>>(i&63)&1 != 0:
			pos.effort.nodes++
			pos.state.Play(m)
			x = v.of(pos.state.Utility(pos.me))
			pos.state.Undo()
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
				pos.effort.stats.BetaCuts++
			}
			break
		}
	}
	pos.moves = pos.moves[:first]
	pos.effort.nodes += int64(blanks)
	pos.effort.estimates += int64(blanks)
	pos.effort.stats.Evaluations += int64(blanks)
	if line && low < best && best < beta {
		t.pv.lines[t.pv.ply] = append(t.pv.lines[t.pv.ply][:0], at)
	}
	return best, at
}

// after is what the move m leads to at the horizon.
func (t *textbook) after(m game.Move, v view, alpha, beta float64) (x float64) {
	pos := &t.pos
	pos.play(m)
	switch turn := pos.state.Turn(); {
	case turn >= 0 || turn == game.Chance && pos.static.afterstate && pos.slip == nil:
		pos.effort.nodes++
		x = v.of(pos.evaluate())
	case turn == game.Nobody:
		pos.effort.nodes++
		x = v.of(pos.utility())
	default:
		x = t.beyond.search(v, 0, alpha, beta)
	}
	pos.undo()
	return x
}
