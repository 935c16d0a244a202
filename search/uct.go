package search

import (
	"math"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/internal/elementary"
)

// uct is the tree in memory, and the simulations that grow it.
type uct struct {
	reply maxnTree // what nature's opponent makes of a leaf
	all   *players // of reply
	rng   *rand.Rand
	opt   MCTS
	plies int // that a rollout may last

	store []uctNode // the root first; the children of a node stand together
	sums  []float64 // of what each player got from each node, width numbers a node
	width int       // 1 where one player's value tells the other's, else the players

	proves  bool // that a player gets the most, or the least, that he can
	running bool // lo and hi are the least and the greatest value met
	lo, hi  []float64

	path   []uctStep
	got    []float64 // by the present simulation
	played int       // moves of the present simulation
}

type uctNode struct {
	move   game.Move
	first  int32 // index of the first child
	count  int32 // children; 0: a leaf of the tree
	visits int32
	proof  int8    // 1: player 0 gets the most that he can, -1: the least; 0: who knows
	prob   float64 // of the move, where it is drawn
}

// uctStep is a node on the way down.
type uctStep struct {
	node int32
	want int8 // the proof that who chooses here wants; 0: nobody chooses
}

// chooser is whose choice a node is: the player's, or where opposed is set that of
// somebody who wants the player to get little, or where drawn is set nobody's.
type chooser struct {
	player         game.Player
	opposed, drawn bool
}

// plant begins a tree of the root alone.
func (t *uct) plant() {
	t.plies = t.opt.Game.MaxPlies
	t.width = t.all.count
	if t.all.mirror {
		t.width = 1
	}
	t.store, t.sums = t.store[:0], t.sums[:0]
	t.add(game.NoMove, 1)
	t.got = append(t.got[:0], make([]float64, t.all.count)...)
	t.lo, t.hi = t.lo[:0], t.hi[:0]
	_, t.running = game.As[game.Scorer](t.all.pos.state)
	for p := range game.Player(t.width) {
		lo, hi := t.all.bounds(p)
		t.running = t.running || math.IsInf(lo, 0) || math.IsInf(hi, 0)
		t.lo, t.hi = append(t.lo, lo), append(t.hi, hi)
	}
	if t.running {
		for p := range t.lo {
			t.lo[p], t.hi[p] = math.Inf(1), math.Inf(-1)
		}
	}
	t.proves = t.width == 1 && !t.running && t.hi[0] > t.lo[0]
}

func (t *uct) add(m game.Move, prob float64) {
	t.store = append(t.store, uctNode{move: m, prob: prob})
	for range t.width {
		t.sums = append(t.sums, 0)
	}
}

// simulate walks from the root to a leaf and back; false: it was stopped on the
// way and left no trace.
func (t *uct) simulate() bool {
	t.path, t.played = append(t.path[:0], uctStep{}), 0
	done := t.descend()
	for range t.played {
		t.all.pos.undo()
	}
	if !done {
		return false
	}
	for p, v := range t.got[:t.width] {
		if t.running {
			t.lo[p], t.hi[p] = min(t.lo[p], v), max(t.hi[p], v)
		}
		for _, n := range t.path {
			t.sums[int(n.node)*t.width+p] += v
		}
	}
	for _, n := range t.path {
		t.store[n.node].visits++
	}
	for i := len(t.path) - 1; i > 0 && t.store[t.path[i].node].proof != 0; i-- {
		t.prove(t.path[i-1])
	}
	return true
}

// descend goes down the tree and says what the position is worth that it comes to.
func (t *uct) descend() bool {
	for at := int32(0); ; {
		if !t.all.pos.effort.visit() {
			return false
		}
		turn := t.all.pos.state.Turn()
		n := &t.store[at]
		if turn == game.Nobody {
			t.all.utilities(t.got)
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
			if t.all.mirror {
				t.got[1] = 0 - t.got[0]
			}
			return true
		}
		if n.count == 0 && (at != 0 && n.visits == 0 || !t.expand(at, turn)) {
			return t.assess()
		}
		at = t.choose(at, turn)
		t.path = append(t.path, uctStep{node: at})
		t.step(t.store[at].move)
	}
}

func (t *uct) step(m game.Move) {
	t.all.pos.play(m)
	t.played++
}

// chooser is whose choice the node at is, where it is turn's move.
func (t *uct) chooser(at int32, turn game.Player) chooser {
	all := t.all
	switch {
	case at == 0 && all.mover >= 0:
		return chooser{player: all.mover} // nature's opponent at nature's node, too
	case all.follows(turn):
		return chooser{drawn: true}
	case turn >= 0:
		return chooser{player: turn}
	case all.pos.nature.kind != natureOpposes:
		return chooser{drawn: true}
	case all.count == 2:
		return chooser{player: 1 - all.pos.nature.chancer.For()}
	}
	return chooser{player: all.pos.nature.chancer.For(), opposed: true}
}

// expand gives a node its children, unless there is no room for them. The
// root's always have room.
func (t *uct) expand(at int32, turn game.Player) bool {
	t.all.pos.moves = t.all.pos.state.Moves(t.all.pos.moves[:0])
	defer func() { t.all.pos.moves = t.all.pos.moves[:0] }()
	if len(t.store)+len(t.all.pos.moves) > t.opt.MaxNodes && at != 0 {
		return false
	}
	drawn := t.chooser(at, turn).drawn
	t.all.pos.nature.probs = t.all.pos.nature.probs[:0]
	if drawn {
		t.all.pos.weights(t.all.pos.moves)
	}
	n := &t.store[at]
	n.first, n.count = int32(len(t.store)), int32(len(t.all.pos.moves))
	for i, m := range t.all.pos.moves {
		prob := 1.0
		if drawn {
			prob = t.all.pos.nature.probs[i]
		}
		t.add(m, prob)
	}
	t.all.pos.nature.probs = t.all.pos.nature.probs[:0]
	return true
}

// choose is the child to go to: one not yet visited, the one of the largest
// upper confidence bound, or one drawn. It never goes where the chooser has lost.
func (t *uct) choose(at int32, turn game.Player) int32 {
	n := &t.store[at]
	who := t.chooser(at, turn)
	want := who.proof()
	t.path[len(t.path)-1].want = want
	if who.drawn {
		return t.draw(n)
	}
	p, opposed := who.player, who.opposed
	if t.all.mirror && p == 1 {
		p, opposed = 0, true // his share is what player 0 leaves
	}
	lo, scale := t.lo[p], 1/(t.hi[p]-t.lo[p])
	flat := !(t.hi[p] > lo) // nothing is known of the range yet: all are alike
	best, most := n.first, math.Inf(-1)
	log := elementary.Log(float64(n.visits))
	for c := n.first; c < n.first+n.count; c++ {
		if t.store[c].visits == 0 {
			return c
		}
		if t.store[c].proof == -want {
			continue
		}
		visits, q := float64(t.store[c].visits), 0.5
		if !flat {
			q = float64((t.sums[int(c)*t.width+int(p)]/visits - lo) * scale)
		}
		if opposed {
			q = 1 - q
		}
		if u := q + float64(t.opt.Exploration*math.Sqrt(log/visits)); u > most {
			best, most = c, u
		}
	}
	return best
}

// draw is a child of n drawn by the probabilities of the moves.
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
	return last // rounding left something over
}

// mean is what p got on average from a node, or what is proven.
func (t *uct) mean(at int32, p game.Player) float64 {
	n := &t.store[at]
	if n.proof != 0 {
		v := t.certain(n.proof)
		if p == 1 {
			v = 0 - v
		}
		return v
	}
	if t.all.mirror && p == 1 {
		return 0 - t.sums[int(at)]/float64(n.visits)
	}
	return t.sums[int(at)*t.width+int(p)] / float64(n.visits)
}

// assess says what the position at hand, outside of the tree, is worth: by the
// evaluation, after nature's moves, or by a rollout.
func (t *uct) assess() bool {
	pos := t.all.pos
	decisions := 0
	for plies := 0; ; plies++ {
		turn := pos.state.Turn()
		ends := t.opt.Rollout == nil || plies >= t.plies ||
			t.opt.RolloutDepth > 0 && decisions >= t.opt.RolloutDepth
		switch {
		case turn == game.Nobody:
			t.all.utilities(t.got)
			return true
		case ends && t.all.leaf(turn, 0):
			t.all.evaluate(t.got)
			return true
		case ends && turn == game.Chance && pos.nature.kind == natureOpposes:
			// What the opponent makes of it, by one move of his.
			t.reply.search(0, 0, noThreat)
			copy(t.got, t.reply.levels[0].value)
			return !pos.effort.meter.stopped
		}
		pos.moves = pos.state.Moves(pos.moves[:0])
		pos.nature.probs = pos.nature.probs[:0]
		t.rollout(turn)
		if turn >= 0 {
			decisions++
		}
		m := pos.moves[draw(pos.nature.probs, t.rng)]
		pos.moves, pos.nature.probs = pos.moves[:0], pos.nature.probs[:0]
		t.step(m)
		if !pos.effort.visit() {
			return false
		}
	}
}

// rollout writes the probabilities of the moves at hand, where it is turn's move.
func (t *uct) rollout(turn game.Player) {
	pos := t.all.pos
	opposes := turn == game.Chance && pos.nature.kind == natureOpposes
	switch {
	case t.all.follows(turn) || turn == game.Chance && !opposes:
		pos.weights(pos.moves)
	case opposes && pos.base.Turn() != game.Chance:
		// A policy has nothing to say on how a move slips.
		pos.nature.probs = Uniform{}.Probs(pos.base, pos.moves, pos.nature.probs)
	default:
		pos.nature.probs = t.opt.Rollout.Probs(pos.base, pos.moves, pos.nature.probs)
	}
}
