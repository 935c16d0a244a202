package search

import "plyfit/game"

// frontier is the loop of alpha-beta over moves that lead to the horizon. Most
// nodes of a search are visited there, so its leaves are evaluated without a call
// of the search for each, and where the evaluation says the same of all, a
// [game.MoveClassifier] tells which moves have to be made at all. It finds what the loops
// of textbook and pvs find, node for node ([BenchmarkFrontier] tells what it buys).
type frontier struct {
	pos    *position
	pv     *variation
	on     bool                // nobody watches, and nothing is searched beyond the horizon
	peeker game.MoveClassifier // nil: moves must be made
	prune  bool
	// search is that of which the frontier is a part. It is asked where nature is to
	// move before the horizon.
	search func(v view, depth int, alpha, beta float64) float64
}

// bind takes over what the position has to offer.
func (f *frontier) bind(on bool) {
	f.on, f.peeker = on, nil
	if f.pos.static.constant {
		f.peeker, _ = f.pos.state.(game.MoveClassifier) // not one inside a wrapper, which does more
	}
}

// best is the value of the present position in the view v, which is the mover's,
// and its best move, which means nothing where all failed low. With line it is
// kept.
func (f *frontier) best(v view, alpha, beta float64, line bool) (float64, game.Move) {
	var (
		pos    = f.pos
		first  = len(pos.moves)
		peeked = f.peeker != nil
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
		pos.moves, over, open = f.peeker.ClassifyMoves(pos.moves)
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
			x = f.after(m, v, alpha, beta)
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
			if x > alpha && f.prune {
				alpha = x
			}
		}
		if alpha >= beta && f.prune {
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
		f.pv.lines[f.pv.ply] = append(f.pv.lines[f.pv.ply][:0], at)
	}
	return best, at
}

// after is what the move m leads to at the horizon.
func (f *frontier) after(m game.Move, v view, alpha, beta float64) (x float64) {
	pos := f.pos
	pos.play(m)
	switch turn := pos.state.Turn(); {
	case turn >= 0 || turn == game.Chance && pos.static.afterstate && pos.slip == nil:
		pos.effort.nodes++
		x = v.of(pos.evaluate())
	case turn == game.Nobody:
		pos.effort.nodes++
		x = v.of(pos.utility())
	default:
		x = f.search(v, 0, alpha, beta)
	}
	pos.undo()
	return x
}
