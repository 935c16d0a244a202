// Package mcts implements Monte Carlo tree search (UCT) for any number of players, with rollouts or
// an evaluation. It proves wins and losses where possible.
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

// Options contains the options of [New]. Except for Game and Eval, zero fields select defaults.
type Options struct {
	Game *game.Game       // the world in which the agent plays
	Eval search.Evaluator // evaluates new leaves; search.Zero(Game) uses no knowledge of the game

	Nodes int64         // number of nodes after which the search stops; 0 means no limit
	Time  time.Duration // duration after which the search stops; 0 means no limit

	Leaf     models.Leaves     // kind of positions for which Eval was made; "" means models.Decision
	Assume   assume.Assumption // model of nature and the other players; the zero value means chance
	Ties     search.Ties       // rule for choosing between equally good moves
	Complete bool              // find all best moves (Result.Best)

	// Simulations is the number of simulations. At least one simulation is run for each root move.
	// If Simulations is 0, the search runs until Nodes or Time is used up, or for 1,000 simulations
	// if there is no such limit.
	Simulations int
	// Exploration is the constant C in UCB1, q + C sqrt(ln N / n) with q in [0, 1]. 0 means the
	// square root of 1/2. Use a lower value, such as 1/2, with a good evaluation to narrow the
	// search, and a higher value, such as 1, with rollouts.
	Exploration float64
	// Rollout plays from a new leaf to the end of the game. If the game is not over after
	// Game.MaxPlies plies, Eval evaluates the position reached. If Rollout is nil, there are no
	// rollouts and Eval evaluates the leaf.
	Rollout game.Policy
	// MaxNodes limits memory use: a node takes 32 bytes plus 8 bytes per player. When the limit is
	// reached the tree stops growing, and its leaves are evaluated at each visit. 0 means
	// 1,048,576.
	MaxNodes int
	// Watch, if not nil, is called after each simulation. Its arguments are the moves that the
	// simulation made in the tree, and each player's result. If player 0's result determines the
	// other player's in a two-player game, only player 0's is passed. Neither slice may be kept.
	Watch func(line []game.Move, got []float64)
}

// New returns an agent for Monte Carlo tree search by UCT (Kocsis and Szepesvári, Bandit Based
// Monte-Carlo Planning, ECML 2006) for any number of players. In each simulation each player
// chooses the move by UCB1 (Auer, Cesa-Bianchi and Fischer 2002), based on the player's own payoff.
// Nature's moves are drawn according to their probabilities. A new leaf is evaluated by o.Eval,
// after nature's moves, or by a rollout. If the planner assumes an adversary ([assume.Adversary]),
// chance nodes are decisions of the opponent of Chancer.For.
//
// UCB1 requires values in [0, 1], so values are scaled by the bounds of the root (Bounder) and the
// game. If those bounds are infinite or far from typical scores, as in 2048 and other games with a
// score (Scorer), values are scaled by the lowest and highest values in this search.
//
// In single-player games and two-player zero-sum games, a position is proved once a player can
// force the highest utility or cannot avoid the lowest. It is no longer searched after that
// (MCTS-Solver; Winands, Björnsson and Saito 2008).
//
// The agent plays a proved win, or else the most visited move that is not a proved loss. Value and
// Values contain the means of the move's simulations, or the proved values. Root contains these
// means for all moves. In Root, the kind Exact means only that the value is not a bound, and Upper
// marks a move that was not visited because a time or node limit stopped the search. Best, if
// requested, lists the moves visited as often as the best one. Depth is the number of decisions on
// the most visited line. Exact is true only if the root is finished or proved.
//
// The same seed gives the same search unless a time limit ends it.
func New(o Options) (search.Agent, error) {
	switch {
	case o.Simulations < 0 || o.Simulations > math.MaxInt32:
		return nil, fmt.Errorf("mcts: simulations=%d: want a positive number", o.Simulations)
	case !(o.Exploration >= 0) || math.IsInf(o.Exploration, 1):
		return nil, fmt.Errorf("mcts: exploration=%v: want a positive number", o.Exploration)
	case o.MaxNodes < 0 || o.MaxNodes > math.MaxInt32:
		return nil, fmt.Errorf("mcts: nodes=%d: want a positive number", o.MaxNodes)
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

// endless exceeds the number of decisions in any game.
const endless = 1 << 20

type mcts struct {
	bound position.Options // options of the positions in tree
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

// unsearched returns the result if the root is finished or there was no time to search.
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
	valueNode := from // node whose mean is the value of the root
	if r.Exact = root.proof != 0; r.Exact {
		valueNode = 0
		if all.Mover >= 0 {
			from = t.direct(&r, from)
		}
	} else if n := &t.store[from]; n.visits == 0 && n.proof == 0 {
		valueNode = 0 // when the search stopped, all moves tried so far were losses
	}
	for p := range r.Values {
		r.Values[p] = t.mean(valueNode, game.Player(p))
	}
	self := all.Planner()
	r.Value = r.Values[self]
	t.line(&r, from)
	if all.Mover < 0 {
		return r
	}
	r.Move = t.store[from].move
	if len(r.PV) == 0 { // the move was never tried
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

// direct returns the child of a proved root that wins soonest or loses last. If there are several,
// the option Ties decides whether direct takes the first or draws one at random. If a limit ended
// the search for the shortest win, direct returns the child chosen before (the parameter at).
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

// best returns the child that is best for the player who chooses at the node. If there are several,
// ties decides whether best takes the first or draws one at random.
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

// line appends the most visited line to r.PV and adds the number of its decisions to r.Depth. The
// line starts with the given child of the root and ends at a chance node or at a leaf of the tree.
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

// prove updates a node after one of its children was proved. The chooser gets the preferred result
// if one child is proved to have it, and the opposite result if all children are proved to have the
// opposite. A chance node is proved if all its children have the same proof.
func (t *uct) prove(at uctStep) {
	n := &t.store[at.node]
	const unset = 2
	common := int8(unset) // proof shared by all children
	for _, c := range t.store[n.first : n.first+n.count] {
		switch {
		case at.want == 0 && c.prob == 0: // never drawn
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

// certain returns player 0's utility at a node with the given proof.
func (t *uct) certain(proof int8) float64 {
	if proof > 0 {
		return t.hi[0]
	}
	return t.lo[0]
}

// proof returns the proof that the chooser prefers, or 0 at a chance node.
func (c chooser) proof() int8 {
	switch {
	case c.drawn:
		return 0
	case (c.player == 0) != c.opposed:
		return 1
	}
	return -1
}

// compare compares two children. The parameter want is the proof that the chooser prefers. The
// result is positive if a is better and 0 if the children are equally good.
func (t *uct) compare(a, b int32, want int8) int {
	p, q := int(t.store[a].proof*want), int(t.store[b].proof*want)
	if p != q || p > 0 {
		return p - q
	}
	return int(t.store[a].visits) - int(t.store[b].visits)
}
