package search

import (
	"fmt"
	"math"

	"plyfit/game"
)

// Quiescence follows noisy moves alone, as the searches do beyond their last
// decision: whoever is to move takes the evaluation or goes on with a noisy move
// (Shannon 1950). It tells positions that a static evaluation can judge from
// those that it cannot, and where the noise ends. It belongs to one goroutine.
type Quiescence struct {
	eval   Evaluator
	total  float64 // of the two players' values
	moves  []game.Move
	ranks  []int32
	line   [][]game.Move // the best, by ply
	ranker game.Ranker
}

// NewQuiescence is an error for a game that is not of two players who share a
// fixed sum; one that names no noisy moves is quiet everywhere.
func NewQuiescence(g *game.Game, eval Evaluator) (*Quiescence, error) {
	b := g.Base()
	if b.Players != 2 || b.Sum == game.General {
		return nil, fmt.Errorf("quiescence in %s: want a game of two whose utilities have a fixed sum", b.Spec)
	}
	q := &Quiescence{eval: eval}
	if b.Sum == game.Constant {
		q.total = b.Min + b.Max
	}
	return q, nil
}

// Search is the value of s, a base state, to its mover, and the line of noisy
// moves that leads there, which is valid until the next call. At finished
// positions and chance nodes the value is player 0's and the line empty.
func (q *Quiescence) Search(s game.State) (value float64, line []game.Move) {
	switch s.Turn() {
	case game.Nobody:
		return s.Utility(0), nil
	case game.Chance:
		return q.eval.Evaluate(s, 0), nil
	}
	q.ranker, _ = game.As[game.Ranker](s)
	noisy, ok := game.As[game.Noisy](s)
	if !ok {
		return q.eval.Evaluate(s, s.Turn()), nil
	}
	value = q.walk(s, noisy, 0, math.Inf(-1), math.Inf(1))
	return value, q.line[0]
}

// Quiet tells whether no noisy move promises the mover of s more than the
// evaluation says. Positions in which every move is noisy (a check, a capture
// that is forced) are not quiet, nor are finished ones and chance nodes.
func (q *Quiescence) Quiet(s game.State) bool {
	p := s.Turn()
	if p < 0 {
		return false
	}
	noisy, ok := game.As[game.Noisy](s)
	if !ok {
		return true
	}
	q.ranker, _ = game.As[game.Ranker](s)
	first := len(q.moves)
	q.moves = noisy.Noisy(q.moves)
	n := len(q.moves) - first
	q.moves = q.moves[:first]
	if n == 0 {
		return true
	}
	q.moves = s.Moves(q.moves)
	forced := len(q.moves)-first == n
	q.moves = q.moves[:first]
	if forced {
		return false
	}
	still := q.eval.Evaluate(s, p)
	more := still + float64(1e-9*math.Max(1, math.Abs(still)))
	return q.walk(s, noisy, 0, still, more) < more
}

// walk is the mover's value, by alpha-beta.
func (q *Quiescence) walk(s game.State, noisy game.Noisy, ply int, alpha, beta float64) float64 {
	for len(q.line) < ply+2 {
		q.line = append(q.line, nil)
	}
	q.line[ply] = q.line[ply][:0]
	p := s.Turn()
	best := q.eval.Evaluate(s, p)
	if best >= beta {
		return best
	}
	first := len(q.moves)
	q.moves = noisy.Noisy(q.moves)
	q.sort(first)
	last := len(q.moves)
	for i := first; i < last && max(alpha, best) < beta; i++ {
		m := q.moves[i]
		s.Play(m)
		q.line[ply+1] = q.line[ply+1][:0]
		var v float64
		switch next := s.Turn(); {
		case next == game.Nobody:
			v = s.Utility(p)
		case next == game.Chance:
			v = q.eval.Evaluate(s, p)
		case next == p: // he goes on, as with a jump of several steps
			v = q.walk(s, noisy, ply+1, max(alpha, best), beta)
		default:
			v = q.total - q.walk(s, noisy, ply+1, q.total-beta, q.total-max(alpha, best))
		}
		s.Undo()
		if v > best {
			best = v
			q.line[ply] = append(append(q.line[ply][:0], m), q.line[ply+1]...)
		}
	}
	q.moves = q.moves[:first]
	return best
}

// sort puts the moves from first on into the game's order of promise.
func (q *Quiescence) sort(first int) {
	if q.ranker == nil {
		return
	}
	moves := q.moves[first:]
	q.ranks = q.ranks[:0]
	for _, m := range moves {
		q.ranks = append(q.ranks, q.ranker.Rank(m))
	}
	for i := 1; i < len(moves); i++ { // a few moves: insertion keeps equals in order
		for j := i; j > 0 && q.ranks[j] > q.ranks[j-1]; j-- {
			moves[j], moves[j-1] = moves[j-1], moves[j]
			q.ranks[j], q.ranks[j-1] = q.ranks[j-1], q.ranks[j]
		}
	}
}
