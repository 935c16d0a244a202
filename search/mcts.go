package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"plyfit/game"
)

// MCTS is what only Monte Carlo tree search asks for. The zero value of every
// field is the default.
type MCTS struct {
	// Simulations is how many are run, and at least one for each root move; 0:
	// as many as Nodes and Time allow, 1,000 where neither is given.
	Simulations int
	// Exploration is the C of UCB1, q + C sqrt(ln N / n) with q in [0, 1]; 0:
	// the square root of 1/2. With 1/2 and an evaluation that is good a search
	// is narrower, with 1 and rollouts wider.
	Exploration float64
	// Rollout plays from a new leaf to the end of the game; nil: there are no
	// rollouts, and Eval judges the leaf.
	Rollout game.Policy
	// RolloutDepth is after how many decisions of a rollout Eval judges; 0: the
	// end of the game does, or Eval after Game.MaxPlies plies.
	RolloutDepth int
	// MaxNodes bounds the memory: about 40 bytes a node and 8 a player. When
	// it is used up the tree grows no more, and its leaves are judged each time
	// they are reached. 0: 1,048,576.
	MaxNodes int
}

// NewMCTS is Monte Carlo tree search by UCT (Kocsis and Szepesvári, Bandit
// Based Monte-Carlo Planning, ECML 2006) for any number of players: each
// simulation walks down the tree, whoever decides choosing by UCB1 (Auer,
// Cesa-Bianchi and Fischer 2002) on what he gets himself; chance nodes are
// drawn by their probabilities; a new leaf is judged by c.Eval, after nature's
// moves, or by a rollout. Against an adversary ([AssumeAdversary]) nature's
// nodes are decisions of the opponent of Chancer.For.
//
// UCB1 wants values in [0, 1]: they are taken between the bounds of the root
// (Bounder) and the game. Where those are infinite, or the game is one of
// points (Scorer) whose bounds are far from what happens, as in 2048, they are
// taken between the least and the greatest value met in this search.
//
// In games of one, and of two who share a sum, a position from which somebody
// can force the most he can get, or cannot escape the least, is proven, and no
// longer searched (MCTS-Solver; Winands, Björnsson and Saito 2008).
//
// The move is a proven win, else the most visited one that is no proven loss;
// its value is the mean of its simulations, the truth where it is proven; Values
// are the same for all players. Root holds such means: Kind Exact there
// says that it is no bound, and Upper that the move was not visited before a
// limit of time or nodes. Best, where it is asked for, are the moves visited as
// often as the best. Depth is the number of decisions in the most visited line;
// Exact is false but for a finished or proven root.
//
// The same seed makes the same search unless it is stopped by time. Depth,
// Order, Table, Prune, Quiescence, Threads, MinProb, Samples and Observer are
// not used.
func NewMCTS(c Config) (Agent, error) {
	o := c.MCTS
	switch {
	case o.Simulations < 0 || o.Simulations > math.MaxInt32:
		return nil, fmt.Errorf("mcts: simulations=%d: want a positive number", o.Simulations)
	case !(o.Exploration >= 0) || math.IsInf(o.Exploration, 1):
		return nil, fmt.Errorf("mcts: exploration=%v: want a positive number", o.Exploration)
	case o.RolloutDepth < 0:
		return nil, fmt.Errorf("mcts: a rollout depth of %d: want a positive number of decisions", o.RolloutDepth)
	case o.MaxNodes < 0 || o.MaxNodes > math.MaxInt32:
		return nil, fmt.Errorf("mcts: %d nodes of memory: want a positive number", o.MaxNodes)
	}
	if o.Simulations == 0 {
		o.Simulations = math.MaxInt32
		if c.Nodes == 0 && c.Time == 0 {
			o.Simulations = 1000
		}
	}
	if o.Exploration == 0 {
		o.Exploration = math.Sqrt2 / 2
	}
	if o.MaxNodes == 0 {
		o.MaxNodes = 1 << 20
	}
	c.MCTS, c.Depth, c.Threads = o, deepest, 0
	c.Quiescence, c.MinProb, c.Samples, c.Prune, c.Observer = false, 0, 0, NoPrune, nil
	if err := c.validate("mcts"); err != nil {
		return nil, err
	}
	m := &mcts{cfg: c}
	m.Begin(0)
	return m, nil
}

type mcts struct {
	cfg  Config
	tree mctsTree
}

var _ Agent = (*mcts)(nil)

func (m *mcts) Begin(seed uint64) {
	m.tree.rng = newRand(seed)
	m.tree.begin(&m.cfg, seed)
}

func (m *mcts) Search(ctx context.Context, s game.State) (Result, error) {
	t := &m.tree
	defer t.open(ctx, &m.cfg, s)()
	if t.state.Turn() == game.Nobody {
		return t.guesswork(), nil
	}
	t.plant(&m.cfg)
	t.moves = t.state.Moves(t.moves[:0])
	runs := max(t.opt.Simulations, len(t.moves)+1)
	t.moves = t.moves[:0]
	for range runs {
		if !t.simulate() || t.store[0].proof != 0 {
			break
		}
	}
	var r Result
	switch {
	case t.store[0].visits > 0:
		r = t.verdict(&m.cfg)
	case ctx.Err() != nil:
		return Result{Move: game.NoMove}, ctx.Err()
	default:
		r = t.guesswork()
	}
	r.Nodes, r.Elapsed, r.Stats = t.nodes, time.Since(t.meter.started), t.stats
	return r, nil
}

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

// prove draws the conclusion from a node's children, one of which has just been
// proven: who chooses takes what he wants most, and gets the opposite where
// there is nothing else; nature's draws are proven where they are all alike.
func (t *mctsTree) prove(at mctsStep) {
	n := &t.store[at.node]
	const unset = 2
	common := int8(unset) // the proof that all children share
	for _, c := range t.store[n.first : n.first+n.count] {
		switch {
		case at.want == 0 && c.prob == 0: // is never drawn
		case at.want != 0 && c.proof == at.want:
			n.proof = at.want
			return
		case common == unset:
			common = c.proof
		case common != c.proof:
			common = 0
		}
	}
	n.proof = common
}

// certain is what player 0 gets where there is a proof.
func (t *mctsTree) certain(proof int8) float64 {
	if proof > 0 {
		return t.hi[0]
	}
	return t.lo[0]
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
				t.got[1] = total(t.shape) - t.got[0]
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

// wish is the proof that chooser's answer would like best.
func wish(p game.Player, opposed, drawn bool) int8 {
	switch {
	case drawn:
		return 0
	case (p == 0) != opposed:
		return 1
	}
	return -1
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
	log := math.Log(float64(n.visits))
	for c := n.first; c < n.first+n.count; c++ {
		if t.store[c].visits == 0 {
			return c
		}
		if t.store[c].proof == -want {
			continue
		}
		visits, q := float64(t.store[c].visits), 0.5
		if !flat {
			q = (t.sums[int(c)*t.width+int(p)]/visits - lo) * scale
		}
		if opposed {
			q = 1 - q
		}
		if u := q + t.opt.Exploration*math.Sqrt(log/visits); u > most {
			best, most = c, u
		}
	}
	return best
}

// mean is what p got on average from a node, or what is proven.
func (t *mctsTree) mean(at int32, p game.Player) float64 {
	n := &t.store[at]
	if n.proof != 0 {
		if v := t.certain(n.proof); p == 0 {
			return v
		} else {
			return total(t.shape) - v
		}
	}
	if t.mirror && p == 1 {
		return total(t.shape) - t.sums[int(at)]/float64(n.visits)
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

// verdict is what the tree says of its root.
func (t *mctsTree) verdict(c *Config) Result {
	r := Result{Move: game.NoMove, Values: make([]float64, t.players)}
	root, from := &t.store[0], int32(0)
	if root.count > 0 && (t.mover >= 0 || t.state.Turn() >= 0) {
		from = t.favourite(0, c.Ties)
	}
	r.Exact = root.proof != 0
	judged := from
	if n := &t.store[from]; n.visits == 0 && n.proof == 0 {
		judged = 0 // stopped when all the moves that were tried had lost
	}
	for p := range r.Values {
		r.Values[p] = t.mean(judged, game.Player(p))
	}
	hero := t.hero()
	r.Value = r.Values[hero]
	t.line(&r, from)
	if t.mover < 0 {
		return r
	}
	r.Move = t.store[from].move
	_, hi := t.boundsOf(hero)
	want := wish(t.chooser(0, t.state.Turn()))
	for at := root.first; at < root.first+root.count; at++ {
		n := &t.store[at]
		m := RootMove{n.move, hi, Upper}
		if n.visits > 0 || n.proof != 0 {
			m.Value, m.Kind = t.mean(at, hero), Exact
		}
		r.Root = append(r.Root, m)
		if c.Complete && t.likes(at, from, want) == 0 {
			r.Best = append(r.Best, n.move)
		}
	}
	return r
}

// likes compares two moves of one who wants a proof: positive where a is the
// better choice, 0 where they are alike.
func (t *mctsTree) likes(a, b int32, want int8) int {
	p, q := int(t.store[a].proof*want), int(t.store[b].proof*want)
	if p != q || p > 0 {
		return p - q
	}
	return int(t.store[a].visits) - int(t.store[b].visits)
}

// favourite is the child that the one who chooses at the position at hand would
// play: by ties the first of several or one drawn.
func (t *mctsTree) favourite(at int32, ties Ties) int32 {
	n := &t.store[at]
	want := wish(t.chooser(at, t.state.Turn()))
	best, equal := n.first, 1
	for c := n.first + 1; c < n.first+n.count; c++ {
		switch d := t.likes(c, best, want); {
		case d > 0:
			best, equal = c, 1
		case d == 0:
			if equal++; ties == Random && t.rng.IntN(equal) == 0 {
				best = c
			}
		}
	}
	return best
}

// line writes the most visited line from the root's child at on, up to where
// chance begins or the tree ends, into r.PV, and its decisions into r.Depth.
func (t *mctsTree) line(r *Result, at int32) {
	played := 0
	for at != 0 && t.store[at].visits > 0 {
		if t.state.Turn() >= 0 {
			r.Depth++
		}
		m := t.store[at].move
		r.PV = append(r.PV, m)
		t.play(m)
		played++
		turn := t.state.Turn()
		if turn == game.Nobody || t.store[at].count == 0 {
			break
		}
		if _, _, drawn := t.chooser(at, turn); drawn {
			break
		}
		at = t.favourite(at, First)
	}
	for range played {
		t.undo()
	}
}
