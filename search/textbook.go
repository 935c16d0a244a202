package search

import (
	"math"

	"plyfit/game"
)

// walk is the textbook's recursion, to the end of the game or depth decisions
// deep: Minimax and Expectiminimax (Russell and Norvig, Artificial
// Intelligence, 4th ed., figure 5.3 and section 5.5), and with w.prune
// Alpha-Beta-Search (figure 5.7; Knuth and Moore 1975, procedure F2) in its
// fail-soft form: a node is left when alpha >= beta. Chance nodes open the
// window: nothing is cut on account of them.
//
// A node is a call of the recursion; at depth 1 leaves are judged in their
// parent's loop, and count as nodes all the same.
func (w *walker) walk(depth int, alpha, beta float64) float64 {
	if !w.visit() {
		return 0
	}
	w.line[w.ply] = w.line[w.ply][:0]
	w.reach(depth)
	turn := w.state.Turn()
	if depth == 1 && w.short && (turn == w.me || turn >= 0 && !w.others) {
		v, _ := w.fringe(turn == w.me, alpha, beta, true)
		return v
	}
	r, counts := w.role(turn, depth)
	below := depth
	if counts {
		below--
	}
	var v float64
	switch r {
	case over, leaf:
		v = w.judge(r, alpha, beta)
	case average:
		v = w.expect(below)
	default:
		v = w.decide(r, below, alpha, beta, counts)
	}
	if w.observer != nil && !w.meter.stopped {
		w.observe(depth, v, alpha, beta)
	}
	return v
}

// decide is the loop of walk over the moves of one who chooses; its children
// are depth decisions before the horizon. A line of play ends where nature
// chooses; elsewhere it is kept.
func (w *walker) decide(r role, depth int, alpha, beta float64, line bool) float64 {
	maximize := r == maximum
	if depth == 0 && w.short {
		best, _ := w.fringe(maximize, alpha, beta, line)
		return best
	}
	first := len(w.moves)
	w.moves = w.state.Moves(w.moves)
	last := len(w.moves)
	best := math.Inf(1)
	if maximize {
		best = math.Inf(-1)
	}
	w.deeper()
	tracked := w.tracker != nil
	for i := first; i < last; i++ {
		m := w.moves[i]
		if tracked {
			w.push(m)
		}
		w.state.Play(m)
		v := w.walk(depth, alpha, beta)
		w.state.Undo()
		if tracked {
			w.pop()
		}
		if maximize && v > best || !maximize && v < best {
			best = v
			if line && v > alpha && v < beta {
				w.extend(m)
			}
			if w.prune {
				if maximize {
					alpha = max(alpha, v)
				} else {
					beta = min(beta, v)
				}
			}
		}
		if alpha >= beta && w.prune {
			if i < last-1 {
				w.stats.BetaCuts++
			}
			break
		}
		if w.meter.stopped {
			break
		}
	}
	w.ply--
	w.moves = w.moves[:first]
	return best
}

// fringe is decide's loop where the horizon comes right after it: most nodes of
// a search are visited here, so leaves are judged without a call of walk, and
// where the evaluation says the same of all, a [game.Peeker] tells which moves
// have to be made at all. It returns the best move, too, which means nothing
// where all failed low.
func (w *walker) fringe(maximize bool, alpha, beta float64, line bool) (float64, game.Move) {
	var (
		first  = len(w.moves)
		peeked = w.peeker != nil
		over   uint64 // what was peeked at and is finished,
		open   uint64 // or goes on
		best   = math.Inf(1)
		at     = game.NoMove
		low    = alpha
		high   = beta
		blanks = 0
	)
	w.least = 0
	if maximize {
		best = math.Inf(-1)
	}
	if peeked {
		w.moves, over, open = w.peeker.Peek(w.moves)
		if w.afterstate && w.slip == nil {
			open = 0
		}
	} else {
		w.moves = w.state.Moves(w.moves)
	}
	moves := w.moves[first:]
	for i, m := range moves {
		var v float64
		switch {
		case !peeked || open>>(i&63)&1 != 0:
			v = w.tip(m, alpha, beta)
		case over>>(i&63)&1 != 0:
			w.nodes++
			w.state.Play(m)
			v = w.state.Utility(w.me)
			w.state.Undo()
		default:
			blanks++
			v = w.blank
		}
		if maximize {
			if v > best {
				best, at = v, m
				if v > alpha && w.prune {
					alpha = v
				}
			}
		} else if v < best {
			best, at = v, m
			if v < beta && w.prune {
				beta = v
			}
		}
		if alpha >= beta && w.prune {
			if i < len(moves)-1 {
				w.stats.BetaCuts++
			}
			break
		}
	}
	w.moves = w.moves[:first]
	w.nodes += int64(blanks)
	w.guess += int64(blanks)
	w.stats.Evaluations += int64(blanks)
	if line && best > low && best < high {
		w.line[w.ply] = append(w.line[w.ply][:0], at)
	}
	return best, at
}

// tip is what the move m leads to at the horizon.
func (w *walker) tip(m game.Move, alpha, beta float64) (v float64) {
	w.play(m)
	switch turn := w.state.Turn(); {
	case turn >= 0 || turn == game.Chance && w.afterstate && w.slip == nil:
		w.nodes++
		v = w.evaluate()
	case turn == game.Nobody:
		w.nodes++
		v = w.utility()
	case w.grown:
		v = w.look(0, alpha, beta)
	default:
		v = w.walk(0, alpha, beta)
	}
	w.undo()
	return v
}

// expect is the average over nature's moves, or a policy's.
func (w *walker) expect(depth int) float64 {
	var (
		first  = len(w.moves)
		begin  = len(w.probs)
		before = w.prob
		sum    float64
	)
	w.moves = w.state.Moves(w.moves)
	last := len(w.moves)
	w.weights(w.moves[first:])
	w.deeper()
	tracked := w.tracker != nil
	for i := first; i < last; i++ {
		p := w.probs[begin+i-first]
		if p == 0 {
			continue
		}
		if tracked {
			w.push(w.moves[i])
		}
		w.state.Play(w.moves[i])
		w.prob = before * p
		if w.prob < w.minProb {
			sum += float64(p * w.glance())
		} else {
			sum += float64(p * w.walk(depth, math.Inf(-1), math.Inf(1)))
		}
		w.state.Undo()
		if tracked {
			w.pop()
		}
		if w.meter.stopped {
			break
		}
	}
	w.ply--
	w.prob = before
	w.moves, w.probs = w.moves[:first], w.probs[:begin]
	return sum
}

// glance judges a position that is too improbable to be searched.
func (w *walker) glance() float64 {
	w.nodes++
	if w.state.Turn() == game.Nobody {
		return w.utility()
	}
	return w.evaluate()
}

// quiesce follows the noisy moves beyond the horizon: whoever is to move may
// take the evaluation or go on with a noisy move (Shannon 1950; stand pat).
func (w *walker) quiesce(alpha, beta float64) float64 {
	best := w.evaluate()
	turn := w.state.Turn()
	if turn < 0 {
		return best
	}
	var (
		first    = len(w.moves)
		lo, hi   = alpha, beta
		maximize = turn == w.me
	)
	w.moves = w.noisy.Noisy(w.moves)
	last := len(w.moves)
	w.deeper()
	for i := first; ; i++ {
		if w.prune {
			if maximize {
				lo = max(lo, best)
			} else {
				hi = min(hi, best)
			}
			if lo >= hi {
				break
			}
		}
		if i == last || w.meter.stopped {
			break
		}
		w.play(w.moves[i])
		v := w.walk(0, lo, hi)
		w.undo()
		if maximize == (v > best) && v != best {
			best = v
		}
	}
	w.ply--
	w.moves = w.moves[:first]
	return best
}

// observe tells the observer of a node whose value was sought in a window.
func (w *walker) observe(depth int, v, alpha, beta float64) {
	kind := kindOf(v, alpha, beta)
	if w.flip {
		v = total(w.shape) - v
		if kind != Exact {
			kind = Lower + Upper - kind
		}
		alpha, beta = total(w.shape)-beta, total(w.shape)-alpha
	}
	if o, ok := w.observer.(WindowObserver); ok {
		o.Window(alpha, beta)
	}
	w.observer.Node(w.state, depth, v, kind)
}

// kindOf says what a fail-soft value is, given the window it was sought in.
func kindOf(v, alpha, beta float64) Bound {
	switch {
	case v >= beta:
		return Lower
	case v <= alpha:
		return Upper
	}
	return Exact
}
