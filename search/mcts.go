package search

import (
	"context"
	"fmt"
	"math"
	"time"

	"plyfit/game"
	"plyfit/models"
)

// MCTS are the options of [NewMCTS]. The zero value of every field but Game and Eval
// is the default.
type MCTS struct {
	Game *game.Game // the world that the agent plays in
	Eval Evaluator  // of new leaves; Zero(Game) knows nothing

	Nodes int64         // after which the search stops; 0: no limit
	Time  time.Duration // after which it stops; 0: no limit

	Leaf     models.Leaves // the positions that Eval is made for; "" is models.Decision
	Assume   Assume        // what the planner takes nature and others for; the zero value: chance
	Ties     Ties          // which of equally good moves is played
	Complete bool          // find all best moves (Result.Best)

	// Simulations is how many are run, and at least one for each root move; 0:
	// as many as Nodes and Time allow, 1,000 where neither is given.
	Simulations int
	// Exploration is the C of UCB1, q + C sqrt(ln N / n) with q in [0, 1]; 0:
	// the square root of 1/2. With 1/2 and an evaluation that is good a search
	// is narrower, with 1 and rollouts wider.
	Exploration float64
	// Rollout plays from a new leaf to the end of the game; nil: there are no
	// rollouts, and Eval evaluates the leaf.
	Rollout game.Policy
	// RolloutDepth is after how many decisions of a rollout Eval takes over; 0: the
	// end of the game does, or Eval after Game.MaxPlies plies.
	RolloutDepth int
	// MaxNodes bounds the memory: 32 bytes a node and 8 a player. When
	// it is used up the tree grows no more, and its leaves are evaluated each time
	// they are reached. 0: 1,048,576.
	MaxNodes int
}

// NewMCTS is Monte Carlo tree search by UCT (Kocsis and Szepesvári, Bandit
// Based Monte-Carlo Planning, ECML 2006) for any number of players: each
// simulation goes down the tree, whoever decides choosing by UCB1 (Auer,
// Cesa-Bianchi and Fischer 2002) on what he gets himself; chance nodes are
// drawn by their probabilities; a new leaf is evaluated by o.Eval, after nature's
// moves, or by a rollout. Against an adversary ([AssumeAdversary]) nature's
// nodes are decisions of the opponent of Chancer.For.
//
// UCB1 wants values in [0, 1]: they are taken between the bounds of the root
// (Bounder) and the game. Where those are infinite, or the game is one of
// points (Scorer) whose bounds are far from what happens, as in 2048, they are
// taken between the least and the greatest value met in this search.
//
// In games of one, and of two with a sum of zero, a position from which somebody
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
// The same seed makes the same search unless it is stopped by time.
func NewMCTS(o MCTS) (Agent, error) {
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
		if o.Nodes == 0 && o.Time == 0 {
			o.Simulations = 1000
		}
	}
	if o.Exploration == 0 {
		o.Exploration = math.Sqrt2 / 2
	}
	if o.MaxNodes == 0 {
		o.MaxNodes = 1 << 20
	}
	c := config{Game: o.Game, Eval: o.Eval, Depth: deepest, Nodes: o.Nodes, Time: o.Time, Leaf: o.Leaf, Assume: o.Assume,
		Ties: o.Ties, Complete: o.Complete, Prune: NoPrune}
	if err := c.validate("mcts"); err != nil {
		return nil, err
	}
	m := &mcts{cfg: c, tree: uct{opt: o}}
	m.tree.all = &m.tree.reply.all
	m.tree.all.pos = new(position)
	m.Begin(0)
	return m, nil
}

type mcts struct {
	cfg  config
	tree uct
}

var _ Agent = (*mcts)(nil)

func (m *mcts) Begin(seed uint64) {
	m.tree.rng = newRand(seed)
	m.tree.all.begin(&m.cfg, seed)
}

func (m *mcts) Search(ctx context.Context, s game.State) (Result, error) {
	t := &m.tree
	defer t.reply.bind(ctx, &m.cfg, s)()
	pos := t.all.pos
	if pos.state.Turn() == game.Nobody {
		return t.all.unsearched(), nil
	}
	t.plant()
	pos.moves = pos.state.Moves(pos.moves[:0])
	runs := max(t.opt.Simulations, len(pos.moves)+1)
	pos.moves = pos.moves[:0]
	for range runs {
		if !t.simulate() || t.store[0].proof != 0 {
			break
		}
	}
	var r Result
	switch {
	case t.store[0].visits > 0:
		r = t.result(&m.cfg)
	case ctx.Err() != nil:
		return Result{Move: game.NoMove}, ctx.Err()
	default:
		r = t.all.unsearched()
	}
	e := &pos.effort
	r.Nodes, r.Elapsed, r.Stats = e.nodes, time.Since(e.meter.started), e.stats
	return r, nil
}

// result is what the tree says of its root.
func (t *uct) result(c *config) Result {
	all := t.all
	r := Result{Move: game.NoMove, Values: make([]float64, all.count)}
	root, from := &t.store[0], int32(0)
	if root.count > 0 && (all.mover >= 0 || all.pos.state.Turn() >= 0) {
		from = t.best(0, c.Ties)
	}
	told := from // the node whose mean is the root's value
	if r.Exact = root.proof != 0; r.Exact {
		told = 0
		if all.mover >= 0 {
			from = t.direct(&r, c, from)
		}
	} else if n := &t.store[from]; n.visits == 0 && n.proof == 0 {
		told = 0 // stopped when all the moves that were tried had lost
	}
	for p := range r.Values {
		r.Values[p] = t.mean(told, game.Player(p))
	}
	self := all.planner()
	r.Value = r.Values[self]
	t.line(&r, from)
	if all.mover < 0 {
		return r
	}
	r.Move = t.store[from].move
	if len(r.PV) == 0 { // a move that was never tried
		r.PV = append(r.PV, r.Move)
		if all.pos.state.Turn() >= 0 {
			r.Depth = 1
		}
	}
	_, hi := all.bounds(self)
	want := t.chooser(0, all.pos.state.Turn()).proof()
	for at := root.first; at < root.first+root.count; at++ {
		n := &t.store[at]
		m := RootMove{n.move, hi, Upper}
		if n.visits > 0 || n.proof != 0 {
			m.Value, m.Kind = t.mean(at, self), Exact
		}
		r.Root = append(r.Root, m)
		if c.Complete && t.compare(at, from, want) == 0 {
			r.Best = append(r.Best, n.move)
		}
	}
	return r
}

// direct is the root's child that wins soonest or loses last, the root being
// proven: by c.Ties one of several, at where it could not be found out.
func (t *uct) direct(r *Result, c *config, at int32) int32 {
	root := &t.store[0]
	r.Value = t.mean(0, t.all.planner())
	for i := root.first; i < root.first+root.count; i++ {
		r.Root = append(r.Root, RootMove{Move: t.store[i].move, Value: r.Value, Kind: Exact})
	}
	t.all.depth = deepest
	if pool := t.all.direct(r); len(pool) > 0 {
		at = root.first + int32(choose(r.Root, r.Value, pool, c.Ties, t.rng))
	}
	r.Root = r.Root[:0]
	return at
}

// best is the child that the one who chooses at the position at hand would play:
// by ties the first of several or one drawn.
func (t *uct) best(at int32, ties Ties) int32 {
	n := &t.store[at]
	want := t.chooser(at, t.all.pos.state.Turn()).proof()
	best, equal := n.first, 1
	for c := n.first + 1; c < n.first+n.count; c++ {
		switch d := t.compare(c, best, want); {
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
func (t *uct) line(r *Result, at int32) {
	pos := t.all.pos
	played := 0
	for at != 0 && t.store[at].visits > 0 {
		if pos.state.Turn() >= 0 {
			r.Depth++
		}
		m := t.store[at].move
		r.PV = append(r.PV, m)
		pos.play(m)
		played++
		turn := pos.state.Turn()
		if turn == game.Nobody || t.store[at].count == 0 || t.chooser(at, turn).drawn {
			break
		}
		at = t.best(at, First)
	}
	for range played {
		pos.undo()
	}
}
