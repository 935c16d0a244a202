package search

import (
	"math"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/internal/elementary"
)

// mctsTree is the tree in memory, and the walk through it.
type mctsTree struct {
	maxnTree // opens positions and judges leaves
	rng      *rand.Rand
	opt      MCTS
	plies    int // that a rollout may last

	store []mctsNode // the root first; the children of a node stand together
	sums  []float64  // of what each player got from each node, width numbers a node
	width int        // 1 where one player's value tells the other's, else the players

	proves  bool // that a player gets the most, or the least, that he can
	running bool // lo and hi are the least and the greatest value met
	lo, hi  []float64

	path   []mctsStep
	got    []float64 // by the present simulation
	played int       // moves of the present simulation
}

type mctsNode struct {
	move   game.Move
	first  int32 // index of the first child
	count  int32 // children; 0: a leaf of the tree
	visits int32
	proof  int8    // 1: player 0 gets the most that he can, -1: the least; 0: who knows
	prob   float64 // of the move, where it is drawn
}

// mctsStep is a node on the way down.
type mctsStep struct {
	node int32
	want int8 // the proof that who chooses here would like; 0: nobody chooses
}

// plant begins a tree of the root alone.
func (t *mctsTree) plant(c *Config) {
	t.opt, t.plies = c.MCTS, c.Game.MaxPlies
	t.width = t.players
	if t.mirror {
		t.width = 1
	}
	t.store, t.sums = t.store[:0], t.sums[:0]
	t.add(game.NoMove, 1)
	t.got = append(t.got[:0], make([]float64, t.players)...)
	t.lo, t.hi = t.lo[:0], t.hi[:0]
	_, t.running = game.As[game.Scorer](t.state)
	for p := range game.Player(t.width) {
		lo, hi := t.boundsOf(p)
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

func (t *mctsTree) add(m game.Move, prob float64) {
	t.store = append(t.store, mctsNode{move: m, prob: prob})
	for range t.width {
		t.sums = append(t.sums, 0)
	}
}

// simulate walks from the root to a leaf and back; false: it was stopped on the
// way and left no trace.
func (t *mctsTree) simulate() bool {
	t.path, t.played = append(t.path[:0], mctsStep{}), 0
	done := t.descend()
	for range t.played {
		t.undo()
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

// descend goes down the tree and judges where it comes to.
func (t *mctsTree) descend() bool {
	for at := int32(0); ; {
		if !t.visit() {
			return false
		}
		turn := t.state.Turn()
		n := &t.store[at]
		if turn == game.Nobody {
			t.utilities(t.got)
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
			if t.mirror {
				t.got[1] = 0 - t.got[0]
			}
			return true
		}
		if n.count == 0 && (at != 0 && n.visits == 0 || !t.expand(at, turn)) {
			return t.judge()
		}
		at = t.choose(at, turn)
		t.path = append(t.path, mctsStep{node: at})
		t.step(t.store[at].move)
	}
}

func (t *mctsTree) step(m game.Move) {
	t.play(m)
	t.played++
}

// chooser is whose choice a node is: p's, or where opposed is set that of
// somebody who wants p to get little, or where drawn is set nobody's.
func (t *mctsTree) chooser(at int32, turn game.Player) (p game.Player, opposed, drawn bool) {
	switch {
	case at == 0 && t.mover >= 0:
		return t.mover, false, false // nature's opponent at nature's node, too
	case t.follows(turn):
		return 0, false, true
	case turn >= 0:
		return turn, false, false
	case t.nature != natureOpposes:
		return 0, false, true
	case t.players == 2:
		return 1 - t.chancer.For(), false, false
	}
	return t.chancer.For(), true, false
}

// expand gives a node its children, unless there is no room for them. The
// root's always have room.
func (t *mctsTree) expand(at int32, turn game.Player) bool {
	t.moves = t.state.Moves(t.moves[:0])
	defer func() { t.moves = t.moves[:0] }()
	if len(t.store)+len(t.moves) > t.opt.MaxNodes && at != 0 {
		return false
	}
	_, _, drawn := t.chooser(at, turn)
	t.probs = t.probs[:0]
	if drawn {
		t.weights(t.moves)
	}
	n := &t.store[at]
	n.first, n.count = int32(len(t.store)), int32(len(t.moves))
	for i, m := range t.moves {
		prob := 1.0
		if drawn {
			prob = t.probs[i]
		}
		t.add(m, prob)
	}
	t.probs = t.probs[:0]
	return true
}

// choose is the child to go to: one not yet visited, the one that UCB1 likes
// best, or one drawn. It never goes where the chooser has lost.
func (t *mctsTree) choose(at int32, turn game.Player) int32 {
	n := &t.store[at]
	p, opposed, drawn := t.chooser(at, turn)
	want := wish(p, opposed, drawn)
	t.path[len(t.path)-1].want = want
	if drawn {
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
	if t.mirror && p == 1 {
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

// mean is what p got on average from a node, or what is proven.
func (t *mctsTree) mean(at int32, p game.Player) float64 {
	n := &t.store[at]
	if n.proof != 0 {
		v := t.certain(n.proof)
		if p == 1 {
			v = 0 - v
		}
		return v
	}
	if t.mirror && p == 1 {
		return 0 - t.sums[int(at)]/float64(n.visits)
	}
	return t.sums[int(at)*t.width+int(p)] / float64(n.visits)
}

// judge says what the position at hand, outside of the tree, is worth: by the
// evaluation, after nature's moves, or by a rollout.
func (t *mctsTree) judge() bool {
	decisions := 0
	for plies := 0; ; plies++ {
		turn := t.state.Turn()
		tired := t.opt.Rollout == nil || plies >= t.plies ||
			t.opt.RolloutDepth > 0 && decisions >= t.opt.RolloutDepth
		opposes := turn == game.Chance && t.nature == natureOpposes
		switch {
		case turn == game.Nobody:
			t.utilities(t.got)
			return true
		case tired && (turn >= 0 || t.afterstate && t.base.Turn() == game.Chance):
			t.evaluate(t.got)
			return true
		case tired && opposes:
			// What the opponent makes of it, by one look at each of his moves.
			t.search(0, 0, noThreat)
			copy(t.got, t.levels[0].value)
			return !t.meter.stopped
		}
		t.moves, t.probs = t.state.Moves(t.moves[:0]), t.probs[:0]
		switch {
		case t.follows(turn) || turn == game.Chance && !opposes:
			t.weights(t.moves)
		case opposes && t.base.Turn() != game.Chance:
			// A policy has nothing to say on how a move slips.
			t.probs = Uniform{}.Probs(t.base, t.moves, t.probs)
		default:
			t.probs = t.opt.Rollout.Probs(t.base, t.moves, t.probs)
		}
		if turn >= 0 {
			decisions++
		}
		m := t.moves[draw(t.probs, t.rng)]
		t.moves, t.probs = t.moves[:0], t.probs[:0]
		t.step(m)
		if !t.visit() {
			return false
		}
	}
}
