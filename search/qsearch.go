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

// qsearch is the quiescence search. Beyond the horizon it searches only noisy moves. Instead of
// playing one, the mover may accept the static evaluation (stand pat; Shannon 1950, Beal 1990),
// unless the game forces a noisy move.
type qsearch struct {
	pos    *position.Position
	pv     *variation
	lines  bool // principal variations continue through noisy moves
	prune  bool
	noisy  game.Noisy
	ranker game.Ranker // orders the moves; nil means the game's order
	ranks  []int32
	memory *noisyCache // nil if there is none
	guess  *selective  // unproven pruning; nil if disabled
	// value is textbook.value. It is called after each noisy move. The position is then another
	// decision beyond the horizon, the end of the game or a chance node.
	value func(depth int, alpha, beta float64) float64
}

// bind reports whether the state s defines noisy moves. If so, it prepares q to search them in the
// order given by ranker.
func (q *qsearch) bind(s game.State, ranker game.Ranker) (ok bool) {
	q.ranker = ranker
	q.noisy, ok = game.As[game.Noisy](s)
	return ok
}

// search returns the value of the current position, which must be a decision. own is the mover's
// point of view.
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

// follow searches the noisy moves. e is the stored entry for the position. The result best is the
// value of the position, and static is its static evaluation, or NaN if the mover has to play a
// noisy move. The result move is the best move if its value exceeds both static and alpha.
func (q *qsearch) follow(own position.View, alpha, beta float64, e noisyEntry) (best, static float64, move game.Move) {
	pos := q.pos
	best, static, move = -inf, math.NaN(), game.NoMove
	standPat := !q.noisy.Forced()
	if standPat {
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
		if standPat && q.guess != nil {
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

// sort orders moves by the game's ranks. The parameter try, the move that was best before, comes
// first. The sort is a stable insertion sort, since there are few moves.
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

// Quiescence is a quiescence search that can start from any position. It finds positions at which
// the static evaluation is reliable, and the quiet positions in which sequences of noisy moves end.
// It must not be used by several goroutines at the same time.
type Quiescence struct {
	options position.Options
	text    textbook
	q       qsearch
}

// NewQuiescence returns an error unless g is a two-player game in which the utilities have a fixed
// sum. If the game defines no noisy moves, every decision is quiet.
func NewQuiescence(g *game.Game, eval Evaluator) (*Quiescence, error) {
	b := g.Base()
	if b.Players != 2 || b.Sum == game.General {
		return nil, fmt.Errorf("quiescence in %s: want a two-player constant-sum game", b.Spec)
	}
	q := &Quiescence{options: position.Options{Game: b, Eval: untracked{eval}, Leaf: models.Afterstate}}
	q.text = textbook{qsearch: &q.q, prune: true}
	q.q = qsearch{pos: &q.text.pos, pv: &q.text.pv, lines: true, prune: true, value: q.text.value}
	return q, nil
}

// untracked hides the Tracker methods of an Evaluator, so that every position is evaluated from
// scratch.
type untracked struct{ Evaluator }

// bind reports whether s defines noisy moves.
func (q *Quiescence) bind(s game.State) bool {
	q.text.pos.Bind(context.Background(), &q.options, s, assume.NatureAverages, 0, q.options.Game.Shape())
	q.text.pos.Static.Raw = true
	q.text.pv.restart()
	ranker, _ := game.As[game.Ranker](s)
	return q.q.bind(s, ranker)
}

// Search returns the value of the base state s to its mover, and the line of noisy moves that leads
// to this value. The line is valid until the next call. At finished positions and chance nodes, the
// value is player 0's and the line is empty.
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
		value += position.Total(q.text.pos.Shape) // player 1's value is the negated utility of player 0
	}
	return value, q.text.pv.lines[0]
}

// Quiet reports whether no noisy move gives the mover at s more than the static evaluation. A
// position is not quiet if every move is noisy (as in check or with a forced capture), if the game
// is over, or if nature is to move.
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

// noisyCache is a cache of quiescence search results. It stores bounds on a position's value and
// its static evaluation. Most nodes of a search are in the quiescence search, and many recur soon,
// after a different order of captures or with a different window. The cache is therefore small
// enough for the processor's caches, and new entries always replace old ones. The main search is
// more expensive to repeat and has its own [table].
//
// A cache belongs to a single agent. As with the table, the values of the search do not depend on
// the cache's contents.
type noisyCache struct {
	slots []noisyEntry
	from  *pvs   // search that provides the keys
	salt  uint64 // changes with every episode, so that entries from earlier ones are never found
	epoch uint64
}

// A noisyEntry is the cached result for a position, from its mover's point of view.
type noisyEntry struct {
	key      uint64
	value    span
	static   float64
	move     game.Move
	found    bool // the entry is in use
	still    bool // static is set, and is an estimate
	complete bool // value does not rest on an estimate
}

const rememberedSlots = 1 << 13 // 40 bytes each

func (r *noisyCache) forget() {
	r.epoch++
	r.salt = game.Mix(r.epoch ^ 0x9fb21c651e98df25)
}

// at returns the slot and the key of the current position.
func (r *noisyCache) at() (slot *noisyEntry, key uint64) {
	if r.slots == nil {
		r.slots = make([]noisyEntry, rememberedSlots)
	}
	key = r.from.place() ^ r.salt
	return &r.slots[key*0x9e3779b97f4a7c15>>(64-13)], key
}
