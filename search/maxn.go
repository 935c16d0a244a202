package search

import (
	"math"

	"plyfit/game"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
)

// NewMaxN returns a max^n agent (Luckhardt and Irani, AAAI 1986) for games with any number of
// players, whose utilities may have any sum. At each node, the player to move takes the move that
// is best for that player, or the first of several. The node has the same values as the resulting
// child, for all players. Chance nodes are averaged for each player, or treated according to
// o.Assume.
//
// In two-player zero-sum games, the values are the same as in minimax and expectimax. The agent
// prunes when a player has reached the highest possible utility. It also prunes if the sum of the
// values is known at every leaf and the state or the game has bounds. NoPrune disables pruning
// without changing any value. Result.Values is exact for all players. If moves are equal for the
// player to move but not for the others, the game's order decides.
//
// With a node or time limit, the agent deepens iteratively and returns the last completed
// iteration. Without any limit, it searches to the end of the game.
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

// maxnTree is a search tree in which each node has a value for each player. It reuses its buffers.
type maxnTree struct {
	all      position.Players
	observer Observer
	stats    Stats

	prunes bool
	sum    float64 // sum of all players' values
	known  bool    // whether sum is known
	learns bool    // the first finished game determines sum

	levels []maxnLevel
}

// A maxnLevel contains the data for one ply of the current line.
type maxnLevel struct {
	value []float64 // values of the node at this ply, one for each player
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

// take copies the values of the child to the node at the given ply. The line of the node becomes m
// followed by the child's line.
func (t *maxnTree) take(ply int, m game.Move) {
	lv, child := &t.levels[ply], &t.levels[ply+1]
	copy(lv.value, child.value)
	lv.pv = append(append(lv.pv[:0], m), child.pv...)
}

// A threat is the bound under which a node is searched. It consists of the player who decides at
// the node's parent and the value that this player can already get there.
type threat struct {
	player game.Player // game.Nobody if there is no threat
	value  float64
}

var noThreat = threat{player: game.Nobody}

// search stores the node's values in its level. The result cut reports a cutoff: the threatening
// player will not choose this node. In that case search sets only that player's value, which is an
// upper bound.
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

// beats reports whether v exceeds best by more than rounding errors. Values that differ only in the
// order of summation count as equal. This matters because the first of equal children determines
// the other players' values.
func beats(v, best float64) bool { return !(v-best <= position.Rounding(v)) }

// decide searches a node at which player p chooses. If p is [game.Chance], an adversary chooses
// nature's move. decide takes the first of the children that are best for the player or adversary.
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
			t.stats.BetaCuts++ // no better move is possible: immediate pruning (Korf 1991)
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

// cut tests for shallow pruning (Korf, Multi-player alpha-beta pruning, Artificial Intelligence 48,
// 1991, section 3). Player p, who decides here, can already get x. The threatening player can
// therefore get at most the sum minus x and minus the lower bounds of all others. If that is less
// than under.value, the threatening player will not choose this node. Deep pruning is unsound for
// more than two players, so cut does not attempt it.
//
// The sum must be known (see findTotal). Equality does not cause a cutoff, because floating-point
// sums are accurate only to a few units in the last place and cutoffs must not change any value.
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

// findTotal determines whether the sum of all players' values is the same at every leaf of a search
// to this depth. Utilities sum to zero, or to the sum found at the first finished game. Evaluations
// sum to zero only in two-player zero-sum games, where one value is derived from the other. With
// more players the sum of evaluations may vary, so only searches to the end of the game are pruned.
func (t *maxnTree) findTotal(depth int) {
	whole, sum := depth >= deepest/2, t.all.Pos.Shape.Sum
	t.sum = 0
	t.known = t.prunes && sum == game.Zero && (t.all.Mirror || whole)
	t.learns = t.prunes && sum == game.Constant && whole
}

// learn takes the sum from the first finished game.
func (t *maxnTree) learn(utilities []float64) {
	if !t.learns || t.known {
		return
	}
	for _, v := range utilities {
		t.sum += v
	}
	t.known = true
}

// average computes the values of a node whose moves have probabilities.
func (t *maxnTree) average(ply, depth int, moves []game.Move) {
	pos := t.all.Pos
	at := len(pos.Nature.Probs)
	pos.Weights(moves)
	probs := pos.Nature.Probs[at:]
	clear(t.levels[ply].value)
	for i, m := range moves {
		if probs[i] == 0 {
			continue // the move has probability 0
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

// rule returns the rule by which the value of an inner node is computed, from player 0's point of
// view. The parameter turn is the player to move.
func (t *maxnTree) rule(turn game.Player) Rule {
	nature := &t.all.Pos.Nature
	if turn < 0 && nature.Kind == assume.NatureOpposes {
		turn = 1 - nature.Chancer.For() // relative to player 0 even if there are more than two players
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

// observeCut reports a node that was cut off because player p cannot get more than the bound there.
// It converts the bound to player 0's point of view.
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
