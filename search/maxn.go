package search

import (
	"math"

	"plyfit/game"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
)

// NewMaxN is the max^n agent (Luckhardt and Irani, AAAI 1986) for any number of players and any
// sum: each player takes the first of the moves that are best for himself, and a node has its best
// child's value for every player. Chance nodes are averaged player by player, or follow o.Assume.
//
// For two players with a sum of zero the values are those of minimax and expectimax. It prunes
// where a player has the most he can get, and where the sum of all leaves is known and the state or
// the game has bounds; NoPrune switches that off without changing any value. Result.Values are
// exact for all players; between moves equal for the player to move but not for the others, the
// game's order decides.
//
// With a limit of nodes or time it deepens iteratively and returns the last finished iteration;
// without any limit it searches to the end of the game.
func NewMaxN(o Options) (Agent, error) {
	c, err := o.broad("maxn")
	if err != nil {
		return nil, err
	}
	return newMaxN(c), nil
}

func newMaxN(c config) *many {
	t := new(maxnTree)
	t.all.Pos = new(position.Position)
	return newMany(c, &t.all, &t.stats, t)
}

// maxnTree is a search with a value per player in each node. It reuses its buffers.
type maxnTree struct {
	all      position.Players
	observer Observer
	stats    Stats

	prunes bool
	sum    float64 // what all players' values add up to
	known  bool    // whether sum is known
	learns bool    // whether the first end of a game will tell it

	levels []maxnLevel
}

// maxnLevel is what belongs to one ply of the line at hand.
type maxnLevel struct {
	value []float64 // of the node at this ply, per player
	pv    []game.Move
}

func (t *maxnTree) bind(c *config) {
	t.observer, t.stats, t.prunes = c.Observer, Stats{}, c.Prune != NoPrune
	t.known, t.learns = false, false
	if len(t.levels) > 0 && len(t.levels[0].value) != t.all.Count {
		t.levels = t.levels[:0]
	}
}

func (t *maxnTree) begin(depth int) (end func()) {
	t.findTotal(depth)
	return func() {}
}

func (t *maxnTree) value(ply, depth int, floor float64) (v float64, bound bool) {
	t.level(ply)
	planner, under := t.all.Planner(), noThreat
	if floor > -inf {
		under = threat{planner, floor}
	}
	bound = t.search(ply, depth, under)
	return t.levels[ply].value[planner], bound
}

func (t *maxnTree) found(ply int, _ float64) (values []float64, line []game.Move) {
	return t.levels[ply].value, t.levels[ply].pv
}

func (t *maxnTree) root(r *Result) {
	t.observe(r.Depth, t.rule(t.all.Pos.State.Turn()), r.Values[0], Exact)
}

func (t *maxnTree) level(ply int) {
	for len(t.levels) <= ply {
		t.levels = append(t.levels, maxnLevel{value: make([]float64, t.all.Count)})
	}
}

// take makes the child, with its line after m, the value of the node at ply.
func (t *maxnTree) take(ply int, m game.Move) {
	lv, child := &t.levels[ply], &t.levels[ply+1]
	copy(lv.value, child.value)
	lv.pv = append(append(lv.pv[:0], m), child.pv...)
}

// threat is the bound under which a node is searched: the player who decided
// at its parent, and what he has there already.
type threat struct {
	player game.Player // Nobody: none
	value  float64
}

var noThreat = threat{player: game.Nobody}

// search writes the node's value into its level. cut: the node was left early because the
// threatening player will not come here; then only his value is set, an upper bound.
func (t *maxnTree) search(ply, depth int, under threat) (cut bool) {
	all := &t.all
	pos := all.Pos
	if !pos.Effort.Visit() {
		return false
	}
	pos.Effort.Reach(depth)
	lv := &t.levels[ply]
	lv.pv = lv.pv[:0]
	turn := pos.State.Turn()
	switch {
	case turn == game.Nobody:
		all.Utilities(lv.value)
		t.learn(lv.value)
		t.observe(depth, Static, lv.value[0], Exact)
		return false
	case all.Leaf(turn, depth):
		all.Evaluate(lv.value)
		t.observe(depth, Static, lv.value[0], Exact)
		return false
	}
	t.level(ply + 1)
	from, at := len(pos.Moves), len(pos.Nature.Probs)
	pos.Moves = pos.State.Moves(pos.Moves)
	moves := pos.Moves[from:]
	below := depth
	if turn >= 0 {
		below--
	}
	switch {
	case all.Follows(turn) || turn < 0 && pos.Nature.Kind != assume.NatureOpposes:
		t.average(ply, below, moves)
	default:
		cut = t.decide(ply, below, turn, moves, under)
	}
	pos.Moves, pos.Nature.Probs = pos.Moves[:from], pos.Nature.Probs[:at]
	if !cut && !pos.Effort.Stopped() {
		t.observe(depth, t.rule(turn), t.levels[ply].value[0], Exact)
	}
	return cut
}

// beats reports whether v is more than best, and not the same summed up in another order:
// of equal children the first counts, since it decides what the others get.
func beats(v, best float64) bool { return !(v-best <= position.Rounding(v)) }

// decide is a node of player p, or of nature's opponent if p is [game.Chance]: the first child that
// is best for p.
func (t *maxnTree) decide(ply, depth int, p game.Player, moves []game.Move, under threat) (cut bool) {
	pos := t.all.Pos
	best, most := -inf, inf
	mine, prunes := noThreat, t.prunes && p >= 0
	if prunes {
		_, most = t.all.Bounds(p)
	}
	for i, m := range moves {
		pos.Play(m)
		lost := t.search(ply+1, depth, mine)
		pos.Undo()
		if pos.Effort.Stopped() {
			return false
		}
		v := 0.0
		if values := t.levels[ply+1].value; p >= 0 {
			v = values[p]
		} else {
			v = t.all.Opposed(values)
		}
		if lost || i > 0 && !beats(v, best) {
			continue
		}
		best = v
		t.take(ply, m)
		if i == len(moves)-1 {
			break
		}
		if best >= most {
			t.stats.BetaCuts++ // nothing better can come: immediate pruning (Korf 1991)
			break
		}
		if prunes {
			mine = threat{p, best}
			if b, ok := t.cut(p, best, under); ok {
				t.stats.BetaCuts++
				t.levels[ply].value[under.player] = b
				t.observeCut(depth+1, under.player, b)
				return true
			}
		}
	}
	return false
}

// cut is shallow pruning (Korf, Multi-player alpha-beta pruning, Artificial Intelligence 48, 1991,
// section 3): p, who decides here, has x already, so under.player gets at most the sum less x and
// the least of all others. If that is less than what he has at the parent he will not come. Deep
// pruning is unsound for more than two players and not done.
//
// It needs a known sum (findTotal). Equality does not cut: floating-point sums are known to a few
// units of the last place only, and no value may depend on a cut.
func (t *maxnTree) cut(p game.Player, x float64, under threat) (bound float64, ok bool) {
	if under.player == game.Nobody || under.player == p || !t.known {
		return 0, false
	}
	left := t.sum - x
	for q := range game.Player(t.all.Count) {
		if q != p && q != under.player {
			lo, _ := t.all.Bounds(q)
			left -= lo
		}
	}
	if left < under.value-position.Tolerance(math.Max(math.Abs(under.value), math.Abs(x))) {
		return left, true
	}
	return 0, false
}

// findTotal computes what all players' values add up to at every leaf of a search of this depth.
// Utilities add up to zero, or to the sum at the first end of a game. Evaluations do so for two
// players with a sum of zero, where one value is derived from the other's; with more players they
// need not, so only a search to the end of the game is pruned.
func (t *maxnTree) findTotal(depth int) {
	whole, sum := depth >= deepest/2, t.all.Pos.Shape.Sum
	t.sum = 0
	t.known = t.prunes && sum == game.Zero && (t.all.Mirror || whole)
	t.learns = t.prunes && sum == game.Constant && whole
}

// learn takes the sum from the first end of a game.
func (t *maxnTree) learn(utilities []float64) {
	if !t.learns || t.known {
		return
	}
	for _, v := range utilities {
		t.sum += v
	}
	t.known = true
}

// average is a node at which the moves have probabilities.
func (t *maxnTree) average(ply, depth int, moves []game.Move) {
	pos := t.all.Pos
	at := len(pos.Nature.Probs)
	pos.Weights(moves)
	probs := pos.Nature.Probs[at:]
	clear(t.levels[ply].value)
	for i, m := range moves {
		if probs[i] == 0 {
			continue // a policy that never plays it
		}
		pos.Play(m)
		t.search(ply+1, depth, noThreat)
		pos.Undo()
		if pos.Effort.Stopped() {
			return
		}
		sum := t.levels[ply].value
		for p, v := range t.levels[ply+1].value {
			sum[p] += float64(probs[i] * v)
		}
	}
}

// rule is how the value of an inner node, where it is turn's move, is computed in player 0's view.
func (t *maxnTree) rule(turn game.Player) Rule {
	nature := &t.all.Pos.Nature
	if turn < 0 && nature.Kind == assume.NatureOpposes {
		turn = 1 - nature.Chancer.For() // of more than two players too, for player 0
	}
	switch {
	case turn < 0 || t.all.Follows(turn):
		return Mean
	case turn == 0:
		return Largest
	case t.all.Count == 2 && t.all.Pos.Shape.Sum != game.General:
		return Smallest
	}
	return Own
}

func (t *maxnTree) observe(depth int, rule Rule, value float64, kind Bound) {
	if t.observer != nil {
		t.observer.Node(&Visit{State: t.all.Pos.State, Depth: depth, Value: value, Kind: kind, Rule: rule, pos: t.all.Pos})
	}
}

// observeCut tells the observer of a node that was left early, where p gets at
// most bound: in player 0's view.
func (t *maxnTree) observeCut(depth int, p game.Player, bound float64) {
	switch {
	case t.observer == nil:
	case p == 0:
		t.observe(depth, Own, bound, Upper)
	case t.all.Mirror:
		t.observe(depth, Own, 0-bound, Lower)
	default:
		_, hi := t.all.Bounds(0)
		t.observe(depth, Own, hi, Upper)
	}
}
