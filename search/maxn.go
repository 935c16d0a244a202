package search

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"plyfit/game"
)

// NewMaxN is the max^n agent (Luckhardt and Irani, AAAI 1986) for any number of
// players and any sum: whoever decides takes the move that is best for himself,
// the first of several, and a node is worth to every player what its best child
// is. Chance nodes are averaged, player by player, or what c.Assume says.
//
// Where two players share a sum of zero the values are those of minimax and
// expectimax. It prunes where somebody has the most he can get, and where the
// sum of all leaves is known and the state or the game has bounds; NoPrune
// switches that off, and no value depends on it. Result.Values are exact for
// all players; where several moves are equal for the one who decides but not
// for the others, they follow the game's order.
//
// With a limit of nodes or time it deepens iteratively and answers with the
// last iteration that was finished; without any limit it searches to the end of
// the game. Order, Table, Threads, Quiescence and MinProb are not used.
func NewMaxN(c Config) (Agent, error) {
	if err := c.broaden("maxn"); err != nil {
		return nil, err
	}
	m := &maxn{cfg: c}
	m.Begin(0)
	return m, nil
}

// broaden makes c one of an agent for any number of players, named agent: it
// searches to the end of the game where there is no limit, and neither follows noisy
// moves nor leaves out improbable ones.
func (c *Config) broaden(agent string) error {
	if c.Depth == 0 && c.Nodes == 0 && c.Time == 0 {
		c.Depth = deepest
	}
	c.Quiescence, c.MinProb = false, 0
	return c.validate(agent)
}

type maxn struct {
	cfg  Config
	rng  *rand.Rand
	tree maxnTree
}

var _ Agent = (*maxn)(nil)

func (m *maxn) Begin(seed uint64) {
	m.rng = newRand(seed)
	m.tree.begin(&m.cfg, seed)
}

func (m *maxn) Search(ctx context.Context, s game.State) (Result, error) {
	t := &m.tree
	defer t.open(ctx, &m.cfg, s)()
	// Values of siblings that tie must be known before one is drawn.
	exact := m.cfg.Complete || m.cfg.Ties == Random
	return t.deepen(&m.cfg, t.guesswork, func(depth int) Result {
		r := t.answer(depth, exact)
		t.settle(&r, &m.cfg, m.rng)
		return r
	})
}

// deepen asks for answers of growing depth until c's limits stop it, or for the
// one of c.Depth where nothing else limits the search. guess is the answer when
// there was no time for any; where it was the context that left no time, its
// error is returned.
func (w *walker) deepen(c *Config, guess func() Result, answer func(depth int) Result) (Result, error) {
	last := c.Depth
	if last == 0 {
		last = deepest
	}
	depth := last
	if c.Nodes > 0 || c.Time > 0 {
		depth = 1
	}
	var best Result
	found := false
	for ; ; depth++ {
		r := answer(depth)
		if w.meter.stopped {
			// Half an iteration is only better than none.
			if !found && len(r.Root) > 0 {
				best, found = r, true
				best.Depth = 0
			}
			break
		}
		best, found = r, true
		if depth >= last || r.Exact {
			break
		}
	}
	if !found {
		if err := w.meter.ctx.Err(); err != nil {
			return Result{Move: game.NoMove}, err
		}
		best = guess()
	}
	best.Nodes, best.Elapsed, best.Stats = w.nodes, time.Since(w.meter.started), w.stats
	return best, nil
}

// threat is the bound under which a node is searched: the player who decided
// at its parent, and what he has there already.
type threat struct {
	player game.Player // Nobody: none
	value  float64
}

var noThreat = threat{player: game.Nobody}

// answer searches the root to a depth. With exact, no root move's value is a
// bound. Where a limit stopped it, Root holds the moves that were finished.
func (t *maxnTree) answer(depth int, exact bool) Result {
	before := t.guess
	r := Result{Move: game.NoMove, Values: make([]float64, t.players), Depth: depth}
	t.looked, t.least = depth, depth
	t.findTotal(depth)
	if t.mover < 0 || t.state.Turn() == game.Nobody {
		t.search(0, depth, noThreat)
		copy(r.Values, t.levels[0].value)
		r.Value = r.Values[t.hero()]
		r.PV = append(r.PV, t.levels[0].pv...)
	} else {
		t.root(&r, depth, exact)
	}
	t.conclude(&r, before)
	return r
}

// conclude fills in what the loop at hand cost and how certain it is; guess is how
// many estimates there were before it.
func (t *maxnTree) conclude(r *Result, guess int64) {
	r.Nodes, r.Elapsed, r.Stats = t.nodes, time.Since(t.meter.started), t.stats
	if r.Exact = t.guess == guess && !t.meter.stopped; r.Exact {
		r.Depth = t.looked - t.least // the game ended everywhere before the horizon
	}
}

// root searches each of the mover's moves. The mover may be nature's opponent,
// whose node is a chance node of the planned state and costs no depth.
func (t *maxnTree) root(r *Result, depth int, exact bool) {
	if !t.visit() {
		return
	}
	if t.state.Turn() >= 0 {
		depth--
	}
	t.moves, t.rooted = t.state.Moves(t.moves[:0]), t.rooted[:0]
	defer func() { t.moves = t.moves[:0] }()
	r.Value = math.Inf(-1)
	t.level(1)
	for i := range len(t.moves) {
		m := t.moves[i]
		under := noThreat
		if !exact && i > 0 {
			under = threat{t.mover, r.Value}
		}
		t.play(m)
		cut := t.search(1, depth, under)
		t.undo()
		if t.meter.stopped {
			return
		}
		child := &t.levels[1]
		v := child.value[t.mover]
		rm := RootMove{m, v, Exact}
		if cut {
			rm.Kind = Upper
		}
		r.Root = append(r.Root, rm)
		t.rooted = append(t.rooted, child.value...)
		if !cut && v > r.Value || i == 0 {
			r.Value, r.Move = v, m
			copy(r.Values, child.value)
			r.PV = append(append(r.PV[:0], m), child.pv...)
		}
	}
	t.tell(r.Depth, r.Values[0], Exact)
}

// settle chooses among the root's equally good moves, of certain wins and losses
// among the shortest and the longest.
func (t *maxnTree) settle(r *Result, cfg *Config, rng *rand.Rand) {
	if len(r.Root) == 0 {
		return
	}
	k := choose(r.Root, r.Value, t.direct(r), cfg.Ties, rng)
	if m := r.Root[k].Move; m != r.Move {
		r.Move, r.PV = m, append(r.PV[:0], m)
		if r.Root[k].Kind == Exact { // the others may get something else from this move
			copy(r.Values, t.rooted[k*t.players:])
		}
	}
	if cfg.Complete {
		r.Best = equals(r.Root, r.Value, r.Best)
	}
}

// worths appends what each of the moves at s is worth to the one who plays it,
// by one ply; at nature's node that is the opponent of For.
func (t *maxnTree) worths(cfg *Config, s game.State, moves []game.Move, dst []float64) []float64 {
	defer t.open(context.Background(), cfg, s)()
	t.level(1)
	for _, m := range moves {
		t.play(m)
		t.search(1, 0, noThreat)
		t.undo()
		v := t.levels[1].value
		if t.mover >= 0 {
			dst = append(dst, v[t.mover])
		} else {
			dst = append(dst, t.natureWorth(v))
		}
	}
	return dst
}

// search writes the value of the node at hand into its level. cut: it was left
// early, since the threatening player will not come here; then only his value
// is there, and it is an upper bound.
func (t *maxnTree) search(ply, depth int, under threat) (cut bool) {
	if !t.visit() {
		return false
	}
	t.reach(depth)
	lv := &t.levels[ply]
	lv.pv = lv.pv[:0]
	turn := t.state.Turn()
	switch {
	case turn == game.Nobody:
		t.utilities(lv.value)
		if t.learns && !t.known {
			for _, v := range lv.value {
				t.sum += v
			}
			t.known = true
		}
		t.tell(depth, lv.value[0], Exact)
		return false
	case depth <= 0 && (turn >= 0 || t.afterstate && t.base.Turn() == game.Chance):
		t.evaluate(lv.value)
		t.tell(depth, lv.value[0], Exact)
		return false
	}
	t.level(ply + 1)
	from, at := len(t.moves), len(t.probs)
	t.moves = t.state.Moves(t.moves)
	moves := t.moves[from:]
	switch {
	case t.follows(turn):
		d := depth
		if turn >= 0 {
			d--
		}
		t.average(ply, d, moves)
	case turn >= 0:
		cut = t.decide(ply, depth-1, turn, moves, under)
	case t.nature == natureOpposes:
		t.oppose(ply, depth, moves)
	default:
		t.average(ply, depth, moves)
	}
	t.moves, t.probs = t.moves[:from], t.probs[:at]
	if !cut && !t.meter.stopped {
		t.tell(depth, t.levels[ply].value[0], Exact)
	}
	return cut
}

// decide is a node of player p: the child that is best for p, the first of
// several.
func (t *maxnTree) decide(ply, depth int, p game.Player, moves []game.Move, under threat) (cut bool) {
	best := math.Inf(-1)
	most := math.Inf(1)
	mine := noThreat
	if t.rivals {
		_, most = t.boundsOf(p)
	}
	for i, m := range moves {
		t.play(m)
		lost := t.search(ply+1, depth, mine)
		t.undo()
		if t.meter.stopped {
			return false
		}
		lv, child := &t.levels[ply], &t.levels[ply+1]
		v := child.value[p]
		if lost || v <= best && i > 0 {
			continue
		}
		best = v
		copy(lv.value, child.value)
		lv.pv = append(append(lv.pv[:0], m), child.pv...)
		if i == len(moves)-1 {
			break
		}
		if best >= most {
			t.stats.BetaCuts++ // nothing better can come: immediate pruning (Korf 1991)
			break
		}
		if t.rivals {
			mine = threat{p, best}
			if b, ok := t.cut(p, best, under); ok {
				t.stats.BetaCuts++
				lv.value[under.player] = b
				t.tellCut(depth+1, under.player, b)
				return true
			}
		}
	}
	return false
}

// cut is shallow pruning (Korf, Multi-player alpha-beta pruning, Artificial
// Intelligence 48, 1991, section 3): p, who decides here, has x already, so
// that under.player can get no more from here than what is left of the sum when
// all others get their least; where that is less than what he has at the parent
// he will not come. Deep pruning is not sound for more than two players, and
// not done.
//
// It wants a sum that is known (findTotal). Equality does not cut: sums of
// floating-point numbers are known to a few units of the last place only, and
// the child would have to be strictly worse for no value to depend on it.
func (t *maxnTree) cut(p game.Player, x float64, under threat) (bound float64, ok bool) {
	if under.player == game.Nobody || under.player == p || !t.known {
		return 0, false
	}
	left := t.sum - x
	for q := range game.Player(t.players) {
		if q != p && q != under.player {
			lo, _ := t.boundsOf(q)
			left -= lo
		}
	}
	if left < under.value-tolerance(math.Max(math.Abs(under.value), math.Abs(x))) {
		return left, true
	}
	return 0, false
}

// findTotal learns what all players' values add up to at every leaf of a search
// of this depth. Utilities add up to zero, or to a number that the first end of
// a game tells. Evaluations do so for two players and a sum of zero, where one's
// value is made of the other's; those of more players need not, so that there
// only a search to the end of the game is pruned.
func (t *maxnTree) findTotal(depth int) {
	whole := depth >= deepest/2
	t.sum = 0
	t.known = t.rivals && t.shape.Sum == game.Zero && (t.mirror || whole)
	t.learns = t.rivals && t.shape.Sum == game.Constant && whole
}

// oppose is a chance node at which the opponent of For chooses.
func (t *maxnTree) oppose(ply, depth int, moves []game.Move) {
	best := math.Inf(-1)
	for i, m := range moves {
		t.play(m)
		t.search(ply+1, depth, noThreat)
		t.undo()
		if t.meter.stopped {
			return
		}
		lv, child := &t.levels[ply], &t.levels[ply+1]
		if v := t.natureWorth(child.value); v > best || i == 0 {
			best = v
			copy(lv.value, child.value)
			lv.pv = append(append(lv.pv[:0], m), child.pv...)
		}
	}
}

// average is a node at which the moves have probabilities.
func (t *maxnTree) average(ply, depth int, moves []game.Move) {
	at := len(t.probs)
	t.weights(moves)
	probs := t.probs[at:]
	clear(t.levels[ply].value)
	for i, m := range moves {
		if probs[i] == 0 {
			continue // a policy that never plays it
		}
		t.play(m)
		t.search(ply+1, depth, noThreat)
		t.undo()
		if t.meter.stopped {
			return
		}
		sum := t.levels[ply].value
		for p, v := range t.levels[ply+1].value {
			sum[p] += float64(probs[i] * v)
		}
	}
}
