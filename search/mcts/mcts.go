// Package mcts is Monte Carlo tree search: UCT, with rollouts or an evaluation, for
// any number of players. It proves what it can.
package mcts

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
)

// Options are the options of [New]. Zero values except Game and Eval are defaults.
type Options struct {
	Game *game.Game       // the world that the agent plays in
	Eval search.Evaluator // of new leaves; search.Zero(Game) knows nothing

	Nodes int64         // after which the search stops; 0: no limit
	Time  time.Duration // after which it stops; 0: no limit

	Leaf     models.Leaves     // the positions that Eval is made for; "" is models.Decision
	Assume   assume.Assumption // what the planner takes nature and others for; the zero value: chance
	Ties     search.Ties       // which of equally good moves is played
	Complete bool              // find all best moves (Result.Best)

	// Simulations is how many are run, and at least one for each root move; 0:
	// as many as Nodes and Time allow, 1,000 where neither is given.
	Simulations int
	// Exploration is the C of UCB1, q + C sqrt(ln N / n) with q in [0, 1]; 0: the square root of
	// 1/2. With a good evaluation use less (1/2) for a narrower search; with rollouts more (1).
	Exploration float64
	// Rollout plays from a new leaf to the end of the game, or for Game.MaxPlies plies and then
	// evaluates with Eval; nil: no rollouts, Eval evaluates the leaf.
	Rollout game.Policy
	// MaxNodes bounds the memory: 32 bytes a node and 8 a player. When it is used up the tree stops
	// growing, and its leaves are evaluated at each visit. 0: 1,048,576.
	MaxNodes int
	// Watch is called after each simulation with the moves that it made within the tree and what each
	// player got, or player 0 alone where that is the other's loss; neither may be kept. nil: no one watches.
	Watch func(line []game.Move, got []float64)
}

// New is Monte Carlo tree search by UCT (Kocsis and Szepesvári, Bandit Based Monte-Carlo Planning,
// ECML 2006) for any number of players. In each simulation each player chooses by UCB1 (Auer,
// Cesa-Bianchi and Fischer 2002) on his own payoff; chance nodes are drawn by their probabilities;
// a new leaf is evaluated by o.Eval, after nature's moves, or by a rollout. Against an adversary
// ([assume.Adversary]) nature's nodes are decisions of the opponent of Chancer.For.
//
// UCB1 needs values in [0, 1]: they are scaled by the bounds of the root (Bounder) and the game.
// Where those are infinite, or far from typical scores (Scorer) as in 2048, they are scaled by the
// least and the greatest value met in this search.
//
// In games of one, and of two with a sum of zero, a position is proven, and no longer searched,
// once a player can force the most he can get or cannot escape the least (MCTS-Solver; Winands,
// Björnsson and Saito 2008).
//
// The move is a proven win, else the most visited one that is no proven loss; its value is the mean
// of its simulations, or the proven one; Values are the same for all players. Root holds such
// means: Kind Exact means no bound, and Upper a move not visited before a limit of time or nodes.
// Best, if requested, are the moves visited as often as the best. Depth is the number of decisions
// in the most visited line; Exact is true only for a finished or proven root.
//
// The same seed gives the same search unless time stops it.
func New(o Options) (search.Agent, error) {
	switch {
	case o.Simulations < 0 || o.Simulations > math.MaxInt32:
		return nil, fmt.Errorf("mcts: simulations=%d: want a positive number", o.Simulations)
	case !(o.Exploration >= 0) || math.IsInf(o.Exploration, 1):
		return nil, fmt.Errorf("mcts: exploration=%v: want a positive number", o.Exploration)
	case o.MaxNodes < 0 || o.MaxNodes > math.MaxInt32:
		return nil, fmt.Errorf("mcts: %d nodes of memory: want a positive number", o.MaxNodes)
	}
	if o.Simulations == 0 {
		o.Simulations = math.MaxInt32
		if o.Nodes == 0 && o.Time == 0 {
			o.Simulations = 1000
		}
	}
	o.Exploration, o.MaxNodes = cmp.Or(o.Exploration, math.Sqrt2/2), cmp.Or(o.MaxNodes, 1<<20)
	bound := position.Options{Game: o.Game, Eval: o.Eval, Nodes: o.Nodes, Time: o.Time, Leaf: o.Leaf, Assume: o.Assume}
	if err := bound.Validate("mcts"); err != nil {
		return nil, err
	}
	m := &mcts{bound: bound, tree: uct{opt: o}}
	m.tree.all.Pos = new(position.Position)
	m.Begin(0)
	return m, nil
}

// endless is more decisions than any game has.
const endless = 1 << 20

type mcts struct {
	bound position.Options // of those of tree
	tree  uct
}

var _ search.Agent = (*mcts)(nil)

func (m *mcts) Begin(seed uint64) {
	m.tree.rng = rand.New(rand.NewPCG(seed, game.Mix(seed)))
	m.tree.all.Begin(&m.bound, seed)
}

func (m *mcts) Search(ctx context.Context, s game.State) (search.Result, error) {
	t := &m.tree
	defer t.all.Bind(ctx, &m.bound, s)()
	pos := t.all.Pos
	if pos.State.Turn() == game.Nobody {
		return t.unsearched(), nil
	}
	t.plant()
	pos.Moves = pos.State.Moves(pos.Moves[:0])
	runs := max(t.opt.Simulations, len(pos.Moves)+1)
	pos.Moves = pos.Moves[:0]
	for range runs {
		if !t.simulate() || t.store[0].proof != 0 {
			break
		}
	}
	var r search.Result
	switch fault := pos.Effort.Fault(); {
	case fault != nil:
		return search.Result{Move: game.NoMove}, fault
	case t.store[0].visits > 0:
		r = t.result()
	case ctx.Err() != nil:
		return search.Result{Move: game.NoMove}, ctx.Err()
	default:
		r = t.unsearched()
	}
	e := &pos.Effort
	r.Nodes, r.Elapsed, r.Stats.Evaluations = e.Nodes, e.Elapsed(), e.Evaluations
	return r, nil
}

// unsearched is the answer when there was no time to search, or nothing to search.
func (t *uct) unsearched() (r search.Result) {
	r.Move, r.Values, r.Exact = t.all.Unsearched()
	r.Value = r.Values[t.all.Planner()]
	return r
}

func (t *uct) result() search.Result {
	all := &t.all
	r := search.Result{Move: game.NoMove, Values: make([]float64, all.Count)}
	root, from := &t.store[0], int32(0)
	if root.count > 0 && (all.Mover >= 0 || all.Pos.State.Turn() >= 0) {
		from = t.best(0, t.opt.Ties)
	}
	told := from // the node whose mean is the root's value
	if r.Exact = root.proof != 0; r.Exact {
		told = 0
		if all.Mover >= 0 {
			from = t.direct(&r, from)
		}
	} else if n := &t.store[from]; n.visits == 0 && n.proof == 0 {
		told = 0 // stopped when all the moves that were tried had lost
	}
	for p := range r.Values {
		r.Values[p] = t.mean(told, game.Player(p))
	}
	self := all.Planner()
	r.Value = r.Values[self]
	t.line(&r, from)
	if all.Mover < 0 {
		return r
	}
	r.Move = t.store[from].move
	if len(r.PV) == 0 { // a move that was never tried
		r.PV = append(r.PV, r.Move)
		if all.Pos.State.Turn() >= 0 {
			r.Depth = 1
		}
	}
	_, hi := all.Bounds(self)
	want := t.chooser(0, all.Pos.State.Turn()).proof()
	for at := root.first; at < root.first+root.count; at++ {
		n := &t.store[at]
		m := search.RootMove{Move: n.move, Value: hi, Kind: search.Upper}
		if n.visits > 0 || n.proof != 0 {
			m.Value, m.Kind = t.mean(at, self), search.Exact
		}
		r.Root = append(r.Root, m)
		if t.opt.Complete && t.compare(at, from, want) == 0 {
			r.Best = append(r.Best, n.move)
		}
	}
	return r
}

// direct is the proven root's child that wins soonest or loses last: the first of several, or by
// ties one drawn; at where the search for it hit a limit.
func (t *uct) direct(r *search.Result, at int32) int32 {
	root := &t.store[0]
	moves := list.Map(t.store[root.first:root.first+root.count], func(n uctNode) game.Move { return n.move })
	t.all.Depth = endless
	pool, _, nodes := t.all.Direct(t.mean(0, t.all.Planner()), moves, true)
	r.BestNodes += nodes
	equal := 0
	for i, m := range moves {
		if t.opt.Ties != search.Plain && slices.Contains(pool, m) {
			if equal++; equal == 1 || t.opt.Ties == search.Random && t.rng.IntN(equal) == 0 {
				at = root.first + int32(i)
			}
		}
	}
	return at
}

// best is the child that the one who chooses at the position at hand would play:
// by ties the first of several or one drawn.
func (t *uct) best(at int32, ties search.Ties) int32 {
	n := &t.store[at]
	want := t.chooser(at, t.all.Pos.State.Turn()).proof()
	best, equal := n.first, 1
	for c := n.first + 1; c < n.first+n.count; c++ {
		switch d := t.compare(c, best, want); {
		case d > 0:
			best, equal = c, 1
		case d == 0:
			if equal++; ties == search.Random && t.rng.IntN(equal) == 0 {
				best = c
			}
		}
	}
	return best
}

// line writes the most visited line from the root's child at on, up to where
// chance begins or the tree ends, into r.PV, and its decisions into r.Depth.
func (t *uct) line(r *search.Result, at int32) {
	pos := t.all.Pos
	played := 0
	for at != 0 && t.store[at].visits > 0 {
		if pos.State.Turn() >= 0 {
			r.Depth++
		}
		m := t.store[at].move
		r.PV = append(r.PV, m)
		pos.Play(m)
		played++
		turn := pos.State.Turn()
		if turn == game.Nobody || t.store[at].count == 0 || t.chooser(at, turn).drawn {
			break
		}
		at = t.best(at, search.First)
	}
	for range played {
		pos.Undo()
	}
}

// prove updates a node after one of its children was proven: the chooser takes what he wants most,
// and gets the opposite if nothing else is left; nature's draws are proven if all are alike.
func (t *uct) prove(at uctStep) {
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
func (t *uct) certain(proof int8) float64 {
	if proof > 0 {
		return t.hi[0]
	}
	return t.lo[0]
}

// proof is the one that the chooser wants most; 0: no one chooses.
func (c chooser) proof() int8 {
	switch {
	case c.drawn:
		return 0
	case (c.player == 0) != c.opposed:
		return 1
	}
	return -1
}

// compare ranks two moves for a proof: positive if a is better, 0 if they are alike.
func (t *uct) compare(a, b int32, want int8) int {
	p, q := int(t.store[a].proof*want), int(t.store[b].proof*want)
	if p != q || p > 0 {
		return p - q
	}
	return int(t.store[a].visits) - int(t.store[b].visits)
}
