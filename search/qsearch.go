package search

import (
	"context"
	"fmt"
	"math"

	"plyfit/game"
	"plyfit/models"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
)

// qsearch is the quiescence search: beyond the horizon it follows noisy moves alone, and the mover
// may take the static evaluation instead (stand pat; Shannon 1950, Beal 1990), unless the game
// forces him to a noisy move.
type qsearch struct {
	pos    *position.Position
	pv     *variation
	lines  bool // principal variations go on through noisy moves
	prune  bool
	noisy  game.Noisy
	ranker game.Ranker // orders the moves; nil: the game's order
	ranks  []int32
	memory *remembered // nil: none
	guess  *selective  // what is left out on a guess; nil: nothing
	// value is the textbook's, of a position after a noisy move: another decision
	// beyond the horizon, the game's end, or nature's move.
	value func(depth int, alpha, beta float64) float64
}

// bind asks s for what the search needs, and whether it names noisy moves. ranker orders them.
func (q *qsearch) bind(s game.State, ranker game.Ranker) (ok bool) {
	q.ranker = ranker
	q.noisy, ok = game.As[game.Noisy](s)
	return ok
}

// search is the value of the present position, a decision, in the view own, the mover's.
func (q *qsearch) search(own position.View, alpha, beta float64) float64 {
	if q.memory == nil {
		v, _, _ := q.follow(own, alpha, beta, noisyEntry{move: game.NoMove})
		return v
	}
	effort := &q.pos.Effort
	slot, key := q.memory.at()
	e := *slot
	if !e.found || e.key != key {
		e = noisyEntry{key: key, value: span{-inf, inf}, move: game.NoMove, found: true}
	} else if v, ok := e.value.cuts(alpha, beta); ok {
		if !e.complete {
			effort.Estimates++
		}
		return v
	}
	estimates := effort.Estimates
	v, static, move := q.follow(own, alpha, beta, e)
	if effort.Stopped() {
		return v
	}
	if !(v <= alpha) {
		e.value.lo = max(e.value.lo, v)
	}
	if !(v >= beta) {
		e.value.hi = min(e.value.hi, v)
	}
	e.complete = effort.Estimates == estimates
	e.static, e.still = static, static == static && !e.complete
	if move != game.NoMove {
		e.move = move
	}
	*slot = e
	return v
}

// follow is search by the noisy moves, where e is what is stored of the position: its value, the
// static one, NaN where the mover has none, and the move better than that and alpha.
func (q *qsearch) follow(own position.View, alpha, beta float64, e noisyEntry) (best, static float64, move game.Move) {
	pos := q.pos
	best, static, move = -inf, math.NaN(), game.NoMove
	waits := !q.noisy.Forced()
	if waits {
		if e.still {
			static = e.static
			pos.Effort.Estimates++
		} else {
			static = own.Of(pos.Evaluate())
		}
		best = static
	}
	if q.prune && best >= beta {
		return best, static, move
	}
	first := len(pos.Moves)
	pos.Moves = q.noisy.Noisy(pos.Moves)
	last := len(pos.Moves)
	q.sort(pos.Moves[first:], e.move)
	q.pv.down()
	for i := first; ; i++ {
		if q.prune {
			if alpha = max(alpha, best); alpha >= beta {
				break
			}
		}
		if i == last || pos.Effort.Stopped() {
			break
		}
		m := pos.Moves[i]
		if waits && q.guess != nil {
			if most, ok := q.guess.most(static, m); ok && most <= alpha {
				best = max(best, most)
				continue
			}
		}
		pos.Play(m)
		lo, hi := own.Window(alpha, beta)
		x := own.Of(q.value(0, lo, hi))
		pos.Undo()
		if x > best {
			best = x
			if x > alpha {
				move = m
			}
			if q.lines {
				q.pv.extend(m)
			}
		}
	}
	q.pv.up()
	pos.Moves = pos.Moves[:first]
	return best, static, move
}

// sort puts moves into the order of the game's ranks: a few moves, so insertion,
// which keeps equals in their order; try, which was best before, goes first.
func (q *qsearch) sort(moves []game.Move, try game.Move) {
	if q.ranker == nil || len(moves) < 2 {
		return
	}
	q.ranks = q.ranks[:0]
	for _, m := range moves {
		r := q.ranker.Rank(m)
		if m == try {
			r = math.MaxInt32
		}
		q.ranks = append(q.ranks, r)
	}
	for i := 1; i < len(moves); i++ {
		for j := i; j > 0 && q.ranks[j] > q.ranks[j-1]; j-- {
			moves[j], moves[j-1] = moves[j-1], moves[j]
			q.ranks[j], q.ranks[j-1] = q.ranks[j-1], q.ranks[j]
		}
	}
}

// Quiescence is the quiescence search by itself, from any position. It finds where a static
// evaluation can be trusted and where the noise ends. It belongs to one goroutine.
type Quiescence struct {
	options position.Options
	text    textbook
	q       qsearch
}

// NewQuiescence is an error for a game that is not of two players who share a
// fixed sum; one that names no noisy moves is quiet everywhere.
func NewQuiescence(g *game.Game, eval Evaluator) (*Quiescence, error) {
	b := g.Base()
	if b.Players != 2 || b.Sum == game.General {
		return nil, fmt.Errorf("quiescence in %s: want a game of two whose utilities have a fixed sum", b.Spec)
	}
	q := &Quiescence{options: position.Options{Game: b, Eval: untracked{eval}, Leaf: models.Afterstate}}
	q.text = textbook{qsearch: &q.q, prune: true}
	q.q = qsearch{pos: &q.text.pos, pv: &q.text.pv, lines: true, prune: true, value: q.text.value}
	return q, nil
}

// untracked is an Evaluator that is asked about each position anew.
type untracked struct{ Evaluator }

// bind reports whether s names noisy moves.
func (q *Quiescence) bind(s game.State) bool {
	q.text.pos.Bind(context.Background(), &q.options, s, assume.NatureAverages, 0, q.options.Game.Shape())
	q.text.pos.Static.Raw = true
	q.text.pv.restart()
	ranker, _ := game.As[game.Ranker](s)
	return q.q.bind(s, ranker)
}

// Search is the value of s, a base state, to its mover, and the line of noisy
// moves that leads there, which is valid until the next call. At finished
// positions and chance nodes the value is player 0's and the line empty.
func (q *Quiescence) Search(s game.State) (value float64, line []game.Move) {
	p := s.Turn()
	switch {
	case p == game.Nobody:
		return s.Utility(0), nil
	case p == game.Chance:
		return q.options.Eval.Evaluate(s, 0), nil
	case !q.bind(s):
		return q.options.Eval.Evaluate(s, p), nil
	}
	value = q.q.search(q.text.pos.Chooser(p), -inf, inf)
	if p == 1 {
		value += position.Total(q.text.pos.Shape) // its view holds the negation of player 0's value
	}
	return value, q.text.pv.lines[0]
}

// Quiet reports whether no noisy move promises the mover of s more than the evaluation. Positions
// where every move is noisy (a check, a forced capture), finished ones and chance nodes are not
// quiet.
func (q *Quiescence) Quiet(s game.State) bool {
	p := s.Turn()
	if p < 0 {
		return false
	}
	if !q.bind(s) {
		return true
	}
	q.text.pos.Moves = q.q.noisy.Noisy(q.text.pos.Moves)
	noisy := len(q.text.pos.Moves)
	q.text.pos.Moves = s.Moves(q.text.pos.Moves[:0])
	all := len(q.text.pos.Moves)
	q.text.pos.Moves = q.text.pos.Moves[:0]
	if noisy == 0 || noisy == all {
		return noisy == 0
	}
	own := q.text.pos.Chooser(p)
	still := own.Of(q.options.Eval.Evaluate(s, 0))
	more := still + float64(1e-9*math.Max(1, math.Abs(still)))
	return q.q.search(own, still, more) < more
}

// remembered stores results of quiescence searches by hash: bounds of a position's value and its
// static one. Most nodes of a search lie there, and many recur at once, from another order of
// captures or with another window, so it is small enough for the caches and the last entry stays.
// The searches above, which are worth more, have their own [table].
//
// It belongs to one search. As with the table, the values do not depend on its contents.
type remembered struct {
	slots []noisyEntry
	from  *pvs   // whose keys it uses
	salt  uint64 // of the episode: entries of earlier ones are never found, and any other takes their place
	epoch uint64
}

// noisyEntry is what is remembered of a position, in its mover's view.
type noisyEntry struct {
	key      uint64
	value    span
	static   float64
	move     game.Move
	found    bool // there is an entry
	still    bool // static is known, as an estimate
	complete bool // the value is one that no estimate touched
}

const rememberedSlots = 1 << 13 // of 48 bytes

func (r *remembered) forget() {
	r.epoch++
	r.salt = game.Mix(r.epoch ^ 0x9fb21c651e98df25)
}

// at is the place of the present position, and its key.
func (r *remembered) at() (slot *noisyEntry, key uint64) {
	if r.slots == nil {
		r.slots = make([]noisyEntry, rememberedSlots)
	}
	key = r.from.place() ^ r.salt
	return &r.slots[key*0x9e3779b97f4a7c15>>(64-13)], key
}
