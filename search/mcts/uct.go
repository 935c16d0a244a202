package mcts

import (
	"math"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
	"plyfit/search/policy"
)

// uct is the search tree together with the simulations that extend it.
type uct struct {
	all   position.Players
	rng   *rand.Rand
	opt   Options
	plies int // maximum number of plies in a rollout

	store []uctNode // the root comes first; the children of a node are consecutive
	sums  []float64 // sums of the results; each node has as many numbers as width
	width int       // 1 if one player's value determines the other's, otherwise the number of players

	proves   bool // wins and losses can be proved
	adaptive bool // lo and hi are the lowest and highest results so far
	lo, hi   []float64

	path   []uctStep
	got    []float64 // each player's result in the current simulation
	played int       // number of moves made in the current simulation

	replies [][]float64 // for each of nature's moves beyond a leaf, the results of the opponent's best move
}

type uctNode struct {
	move   game.Move
	first  int32 // index of the first child
	count  int32 // number of children; 0 at a leaf of the tree
	visits int32
	proof  int8    // 1 if player 0 gets the highest utility, -1 for the lowest utility, 0 if unknown
	prob   float64 // probability of the move that leads to the node, if that move is drawn
}

// A uctStep is a node on the path of a simulation.
type uctStep struct {
	node int32
	want int8 // proof that the chooser at this node prefers; 0 at a chance node
}

// A chooser describes who chooses at a node. By default it is the player. If opposed is set, it is
// an opponent who minimises the player's utility. If drawn is set, the move is drawn at random.
type chooser struct {
	player         game.Player
	opposed, drawn bool
}

// plant creates a tree that consists only of the root.
func (t *uct) plant() {
	t.plies = t.opt.Game.MaxPlies
	t.width = t.all.Count
	if t.all.Mirror {
		t.width = 1
	}
	t.store, t.sums = t.store[:0], t.sums[:0]
	t.add(game.NoMove, 1)
	t.got = append(t.got[:0], make([]float64, t.all.Count)...)
	t.lo, t.hi = t.lo[:0], t.hi[:0]
	_, t.adaptive = game.As[game.Scorer](t.all.Pos.State)
	for p := range game.Player(t.width) {
		lo, hi := t.all.Bounds(p)
		t.adaptive = t.adaptive || math.IsInf(lo, 0) || math.IsInf(hi, 0)
		t.lo, t.hi = append(t.lo, lo), append(t.hi, hi)
	}
	if t.adaptive {
		for p := range t.lo {
			t.lo[p], t.hi[p] = math.Inf(1), math.Inf(-1)
		}
	}
	t.proves = t.width == 1 && !t.adaptive && t.hi[0] > t.lo[0]
}

func (t *uct) add(m game.Move, prob float64) {
	t.store = append(t.store, uctNode{move: m, prob: prob})
	for range t.width {
		t.sums = append(t.sums, 0)
	}
}

// simulate runs a simulation from the root to a leaf and updates the tree. If a limit stopped the
// simulation, it returns false and does not count the simulation.
func (t *uct) simulate() bool {
	t.path, t.played = append(t.path[:0], uctStep{}), 0
	done := t.descend()
	for range t.played {
		t.all.Pos.Undo()
	}
	if !done {
		return false
	}
	for p, v := range t.got[:t.width] {
		if t.adaptive {
			t.lo[p], t.hi[p] = min(t.lo[p], v), max(t.hi[p], v)
		}
		for _, n := range t.path {
			t.sums[int(n.node)*t.width+p] += v
		}
	}
	for _, n := range t.path {
		t.store[n.node].visits++
	}
	if t.opt.Watch != nil {
		line := make([]game.Move, 0, len(t.path))
		for _, n := range t.path[1:] {
			line = append(line, t.store[n.node].move)
		}
		t.opt.Watch(line, t.got[:t.width])
	}
	for i := len(t.path) - 1; i > 0 && t.store[t.path[i].node].proof != 0; i-- {
		t.prove(t.path[i-1])
	}
	return true
}

// descend follows the tree to a leaf and sets t.got to the value of the position at the leaf. It
// returns false if a limit stopped it.
func (t *uct) descend() bool {
	for at := int32(0); ; {
		if !t.all.Pos.Effort.Visit() {
			return false
		}
		turn := t.all.Pos.State.Turn()
		n := &t.store[at]
		if turn == game.Nobody {
			t.all.Utilities(t.got)
			switch {
			case t.proves && t.got[0] >= t.hi[0]:
				n.proof = 1
			case t.proves && t.got[0] <= t.lo[0]:
				n.proof = -1
			}
			return true
		}
		if n.proof != 0 {
			t.got[0] = t.certain(n.proof)
			if t.all.Mirror {
				t.got[1] = 0 - t.got[0]
			}
			return true
		}
		if n.count == 0 {
			if at != 0 && n.visits == 0 || !t.expand(at, turn) {
				return t.assess()
			}
		}
		at = t.choose(at, turn)
		t.path = append(t.path, uctStep{node: at})
		t.step(t.store[at].move)
	}
}

func (t *uct) step(m game.Move) {
	t.all.Pos.Play(m)
	t.played++
}

// chooser returns who chooses at a node. The parameter turn is the player to move.
func (t *uct) chooser(at int32, turn game.Player) chooser {
	all := &t.all
	switch {
	case at == 0 && all.Mover >= 0:
		return chooser{player: all.Mover} // also an adversary who chooses at a chance node
	case all.Follows(turn):
		return chooser{drawn: true}
	case turn >= 0:
		return chooser{player: turn}
	case all.Pos.Nature.Kind != assume.NatureOpposes:
		return chooser{drawn: true}
	case all.Count == 2:
		return chooser{player: 1 - all.Pos.Nature.Chancer.For()}
	}
	return chooser{player: all.Pos.Nature.Chancer.For(), opposed: true}
}

// expand adds the children of a node if there is room for them. The root's children are always
// added.
func (t *uct) expand(at int32, turn game.Player) bool {
	t.all.Pos.Moves = t.all.Pos.State.Moves(t.all.Pos.Moves[:0])
	defer func() { t.all.Pos.Moves = t.all.Pos.Moves[:0] }()
	if len(t.store)+len(t.all.Pos.Moves) > t.opt.MaxNodes && at != 0 {
		return false
	}
	drawn := t.chooser(at, turn).drawn
	t.all.Pos.Nature.Probs = t.all.Pos.Nature.Probs[:0]
	if drawn {
		t.all.Pos.Weights(t.all.Pos.Moves)
	}
	n := &t.store[at]
	n.first, n.count = int32(len(t.store)), int32(len(t.all.Pos.Moves))
	for i, m := range t.all.Pos.Moves {
		prob := 1.0
		if drawn {
			prob = t.all.Pos.Nature.Probs[i]
		}
		t.add(m, prob)
	}
	t.all.Pos.Nature.Probs = t.all.Pos.Nature.Probs[:0]
	return true
}

// choose returns the child to visit next. At a chance node it draws one. Otherwise it takes an
// unvisited child or, if there is none, the child with the highest upper confidence bound. It
// avoids moves that are proved losses for the chooser.
func (t *uct) choose(at int32, turn game.Player) int32 {
	n := &t.store[at]
	who := t.chooser(at, turn)
	want := who.proof()
	t.path[len(t.path)-1].want = want
	if who.drawn {
		return t.draw(n)
	}
	p, opposed := t.view(who)
	best, most := n.first, math.Inf(-1)
	log := elementary.Log(float64(n.visits))
	for c := n.first; c < n.first+n.count; c++ {
		if t.store[c].visits == 0 {
			return c
		}
		if t.store[c].proof == -want {
			continue
		}
		visits := float64(t.store[c].visits)
		q := t.share(t.sums[int(c)*t.width+p]/visits, p, opposed)
		if u := q + float64(t.opt.Exploration*math.Sqrt(log/visits)); u > most {
			best, most = c, u
		}
	}
	return best
}

// view returns the player whose sums a chooser compares, and whether lower values are better. In
// two-player zero-sum games only player 0's sums are stored.
func (t *uct) view(who chooser) (p int, opposed bool) {
	if t.all.Mirror && who.player == 1 {
		return 0, true // player 1 gets the negation of player 0's value
	}
	return int(who.player), who.opposed
}

// share scales player p's value v to the range from 0 to 1, so that 1 is best for the chooser.
func (t *uct) share(v float64, p int, opposed bool) float64 {
	q := 0.5
	if t.hi[p] > t.lo[p] { // otherwise the range is still unknown, and all values are treated as equal
		q = float64((v - t.lo[p]) * (1 / (t.hi[p] - t.lo[p])))
	}
	if opposed {
		q = 1 - q
	}
	return q
}

// draw draws a child of n according to the probabilities of the moves.
func (t *uct) draw(n *uctNode) int32 {
	x, last := t.rng.Float64(), n.first
	for c := n.first; c < n.first+n.count; c++ {
		q := t.store[c].prob
		if q <= 0 {
			continue
		}
		if x < q {
			return c
		}
		x, last = x-q, c
	}
	return last // rounding errors left a remainder
}

// mean returns player p's average result at a node, or the proved value.
func (t *uct) mean(at int32, p game.Player) float64 {
	n := &t.store[at]
	if n.proof != 0 {
		v := t.certain(n.proof)
		if p == 1 {
			v = 0 - v
		}
		return v
	}
	if t.all.Mirror && p == 1 {
		return 0 - t.sums[int(at)]/float64(n.visits)
	}
	return t.sums[int(at)*t.width+int(p)] / float64(n.visits)
}

// assess sets t.got to the value of the current position, which is outside the tree. It plays a
// rollout or evaluates the position after nature's moves.
func (t *uct) assess() bool {
	pos := t.all.Pos
	for plies := 0; ; plies++ {
		turn := pos.State.Turn()
		ends := t.opt.Rollout == nil || plies >= t.plies
		switch {
		case turn == game.Nobody:
			t.all.Utilities(t.got)
			return true
		case ends && t.all.Leaf(turn, 0):
			t.all.Evaluate(t.got)
			return true
		case ends && turn == game.Chance && pos.Nature.Kind == assume.NatureOpposes:
			// The opponent chooses nature's move.
			return t.oppose(0)
		}
		pos.Moves = pos.State.Moves(pos.Moves[:0])
		pos.Nature.Probs = pos.Nature.Probs[:0]
		t.rollout(turn)
		m := pos.Moves[policy.Draw(pos.Nature.Probs, t.rng)]
		pos.Moves, pos.Nature.Probs = pos.Moves[:0], pos.Nature.Probs[:0]
		t.step(m)
		if !pos.Effort.Visit() {
			return false
		}
	}
}

// oppose sets t.got to the values at a leaf at which an adversary chooses nature's moves up to the
// next decision. It returns false if a limit stopped it. ply is the number of moves made beyond the
// leaf.
func (t *uct) oppose(ply int) bool {
	pos := t.all.Pos
	if !pos.Effort.Visit() {
		return false
	}
	switch turn := pos.State.Turn(); {
	case turn == game.Nobody:
		t.all.Utilities(t.got)
		return true
	case t.all.Leaf(turn, 0):
		t.all.Evaluate(t.got)
		return true
	}
	if len(t.replies) <= ply {
		t.replies = append(t.replies, nil)
	}
	first, most := len(pos.Moves), math.Inf(-1)
	pos.Moves = pos.State.Moves(pos.Moves)
	last := len(pos.Moves)
	done := true
	for i := first; i < last && done; i++ {
		pos.Play(pos.Moves[i])
		done = t.oppose(ply + 1)
		pos.Undo()
		if v := t.all.Opposed(t.got); v > most || i == first {
			most = v
			t.replies[ply] = append(t.replies[ply][:0], t.got...)
		}
	}
	pos.Moves = pos.Moves[:first]
	copy(t.got, t.replies[ply])
	return done
}

// rollout sets Nature.Probs to the probabilities of the moves in Position.Moves. turn is the player
// to move.
func (t *uct) rollout(turn game.Player) {
	pos := t.all.Pos
	opposes := turn == game.Chance && pos.Nature.Kind == assume.NatureOpposes
	switch {
	case t.all.Follows(turn) || turn == game.Chance && !opposes:
		pos.Weights(pos.Moves)
	case opposes && pos.Base.Turn() != game.Chance:
		// A slip is not a player's choice, so the rollout policy does not apply.
		pos.Nature.Probs = policy.Uniform{}.Probs(pos.Base, pos.Moves, pos.Nature.Probs)
	default:
		pos.Nature.Probs = t.opt.Rollout.Probs(pos.Base, pos.Moves, pos.Nature.Probs)
	}
}
