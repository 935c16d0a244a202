package search

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"plyfit/game"
	"plyfit/search/internal/position"
)

// many is an agent for any number of players: greedy, max^n or paranoid. All three search the root
// in the same way.
type many struct {
	cfg   config
	rng   *rand.Rand
	all   *position.Players // players in tree
	stats *Stats            // counters in tree
	tree  tree
	ends  []float64 // values of all players after each root move; empty if the tree does not return them
}

var _ Agent = (*many)(nil)

// A tree searches the positions below the root.
type tree interface {
	// bind prepares the tree for the position to which the players are bound.
	bind(c *config)
	// begin starts an iteration. The caller must call end after it.
	begin(depth int) (end func())
	// value returns the planner's value of the current position. ply is the number of moves from
	// the root to the position, and depth is the number of decisions from the position to the
	// horizon. If bound is true, v is an upper bound that does not exceed floor.
	value(ply, depth int, floor float64) (v float64, bound bool)
	// found returns each player's value, given the planner's value v from the last call to value,
	// and the moves that lead to it. values is nil if the values are unknown. Both slices are valid
	// until the next call to value.
	found(ply int, v float64) (values []float64, line []game.Move)
	// root reports the root to an observer.
	root(r *Result)
}

// broad returns the configuration of the given agent, which supports any number of players. Without
// any limit, the agent searches to the end of the game.
func (o Options) broad(agent string) (config, error) {
	if o.Depth == 0 && o.Nodes == 0 && o.Time == 0 {
		o.Depth = deepest
	}
	if o.Prune > NoPrune {
		return config{}, fmt.Errorf("%s: star1 and star2 prune expectimax only; use prune=none or the default", agent)
	}
	c, err := o.config(agent)
	if err != nil {
		return c, err
	}
	return c, c.validate(agent)
}

func newMany(c config, all *position.Players, stats *Stats, t tree) *many {
	m := &many{cfg: c, all: all, stats: stats, tree: t}
	m.Begin(0)
	return m
}

func (m *many) Begin(seed uint64) {
	m.rng = rand.New(rand.NewPCG(seed, game.Mix(seed)))
	m.all.Begin(&m.cfg.bound, seed)
}

// bind prepares m for the state s. The caller must call restore after the search.
func (m *many) bind(ctx context.Context, s game.State) (restore func()) {
	restore = m.all.Bind(ctx, &m.cfg.bound, s)
	m.tree.bind(&m.cfg)
	return restore
}

// Search deepens iteratively until a limit stops it. If the depth is the only limit, it searches to
// that depth immediately. If a limit stopped the search before any root move was finished, Search
// returns the first move and the static value of the root, or ctx.Err() if ctx ended the search.
func (m *many) Search(ctx context.Context, s game.State) (Result, error) {
	defer m.bind(ctx, s)()
	c, e := &m.cfg, &m.all.Pos.Effort
	first, last := c.Depth, cmp.Or(c.Depth, deepest)
	if c.Nodes > 0 || c.Time > 0 {
		first = 1
	}
	// Values of tied moves must be exact before one of the moves is drawn at random.
	exact := c.Complete || c.Ties == Random
	var best Result
	found := false
	deepen(first, last, onward, func(depth int) (final, done bool) {
		r := m.answer(depth, exact)
		switch {
		case !e.Stopped():
			best, found = r, true
		case !found && len(r.Root) > 0: // use an incomplete iteration only if no iteration was completed
			best, found = r, true
			best.Depth = 0
		}
		return r.Exact, !e.Stopped()
	})
	if fault := e.Fault(); fault != nil {
		return Result{Move: game.NoMove}, fault
	}
	if !found {
		if err := e.Context().Err(); err != nil {
			return Result{Move: game.NoMove}, err
		}
		best.Move, best.Values, best.Exact = m.all.Unsearched()
		best.Value = best.Values[m.all.Planner()]
	}
	best.Nodes, best.Elapsed, best.Stats = e.Nodes, e.Elapsed(), m.stats.with(e)
	return best, nil
}

// answer searches the root to the given depth. If exact is set, the values of all root moves are
// exact. If a limit stopped the search, Root contains only the finished moves.
func (m *many) answer(depth int, exact bool) Result {
	all, e := m.all, &m.all.Pos.Effort
	estimates := e.Estimates
	r := Result{Move: game.NoMove, Depth: depth}
	all.Depth, e.Least = depth, depth
	end := m.tree.begin(depth)
	if all.Mover < 0 || all.Pos.State.Turn() == game.Nobody {
		r.Value, _ = m.tree.value(0, depth, -inf)
		m.take(&r, 0)
	} else {
		m.root(&r, depth, exact)
	}
	end()
	r.Nodes, r.Elapsed, r.Stats = e.Nodes, e.Elapsed(), m.stats.with(e)
	if r.Exact = e.Estimates == estimates && !e.Stopped(); r.Exact {
		r.Depth = depth - e.Least // all lines ended before the horizon
	}
	if len(r.Root) > 0 {
		m.choose(&r)
	}
	return r
}

// take stores the values of all players that correspond to r.Value, and appends the corresponding
// moves to r.PV.
func (m *many) take(r *Result, ply int) {
	values, line := m.tree.found(ply, r.Value)
	if values != nil {
		r.Values = append(r.Values[:0], values...)
	}
	r.PV = append(r.PV, line...)
}

// root searches each of the mover's moves. If the mover is an adversary who chooses nature's moves,
// the root is a chance node in the planned state, and its moves are not counted in the depth.
func (m *many) root(r *Result, depth int, exact bool) {
	pos := m.all.Pos
	if !pos.Effort.Visit() {
		return
	}
	if pos.State.Turn() >= 0 {
		depth--
	}
	pos.Moves, m.ends = pos.State.Moves(pos.Moves[:0]), m.ends[:0]
	defer func() { pos.Moves = pos.Moves[:0] }()
	r.Value = -inf
	for i := range len(pos.Moves) {
		move, floor := pos.Moves[i], -inf
		if !exact {
			floor = r.Value
		}
		pos.Play(move)
		v, bound := m.tree.value(1, depth, floor)
		pos.Undo()
		if pos.Effort.Stopped() {
			return
		}
		found := RootMove{move, v, Exact}
		if bound && i > 0 {
			found.Kind = Upper
		}
		r.Root = append(r.Root, found)
		values, _ := m.tree.found(1, v)
		m.ends = append(m.ends, values...)
		if i == 0 || found.Kind == Exact && beats(v, r.Value) {
			r.Value, r.Move, r.PV = v, move, append(r.PV[:0], move)
			m.take(r, 1)
		}
	}
	m.tree.root(r)
}

// choose sets r.Move to one of the equally good root moves. Among certain wins it takes one of the
// shortest, and among certain losses one of the longest.
func (m *many) choose(r *Result) {
	c := &m.cfg
	moves := make([]game.Move, len(r.Root))
	for i, m := range r.Root {
		moves[i] = m.Move
	}
	pool, exact, nodes := m.all.Direct(r.Value, moves, r.Exact)
	r.Exact = exact
	r.BestNodes += nodes
	chosen := pool
	if c.Ties == Plain {
		chosen = nil
	}
	k := choose(r.Root, r.Value, chosen, c.Ties, m.rng)
	if moves[k] != r.Move {
		r.Move, r.PV = moves[k], append(r.PV[:0], moves[k])
		if len(m.ends) > 0 && r.Root[k].Kind == Exact {
			copy(r.Values, m.ends[k*m.all.Count:]) // the other players may get different values from this move
		}
	}
	if c.Complete {
		near := position.Tolerance(r.Value)
		if len(pool) > 0 && m.all.Depth < c.Depth {
			// The search ended early, and an estimate does not determine another move's value at
			// c.Depth.
			near = position.Rounding(r.Value)
		}
		for _, m := range r.Root {
			if m.Kind == Exact && m.Value >= r.Value-near {
				r.Best = append(r.Best, m.Move)
			}
		}
	}
}

// NewGreedy returns an agent that searches one ply. It plays each move and evaluates the resulting
// position with o.Eval, or takes the utility if the game is over. If nature moves next, the agent
// averages over nature's moves or follows o.Assume. If leaves are afterstates, the agent evaluates
// the position before nature moves. Root contains the exact values of all moves.
func NewGreedy(o Options) (Agent, error) {
	c, err := o.config("greedy")
	if err != nil {
		return nil, err
	}
	c.Depth, c.Prune = 1, NoPrune // one ply is always completed
	if err := c.validate("greedy"); err != nil {
		return nil, err
	}
	return &greedy{newMaxN(c)}, nil
}

type greedy struct{ *many }

func (g *greedy) Search(ctx context.Context, s game.State) (Result, error) {
	within := context.Background() // one ply is always completed, so ctx matters only if another agent has to search
	if _, thinks := game.Pondering(s); thinks || g.cfg.Assume.Policy != nil {
		within = ctx
	}
	defer g.bind(within, s)()
	r := g.answer(1, true)
	if g.all.Pos.Effort.Stopped() {
		return Result{Move: game.NoMove}, ctx.Err()
	}
	return r, nil
}

// choose returns the index of a root move whose exact value equals the best one. If pool is not
// empty, it considers only the moves in pool. Depending on ties, it takes the first such move or
// draws one with rng.
func choose(root []RootMove, best float64, pool []game.Move, ties Ties, rng *rand.Rand) int {
	chosen, equal := 0, 0
	for i, m := range root {
		switch {
		case len(pool) > 0 && !slices.Contains(pool, m.Move):
			continue
		case len(pool) == 0 && (m.Kind != Exact || !(m.Value >= best-position.Rounding(best))):
			continue
		}
		// The k-th equal move replaces the current choice with probability 1/k, so all equal moves
		// are equally likely to be chosen.
		if equal++; equal == 1 || ties == Random && rng.IntN(equal) == 0 {
			chosen = i
		}
	}
	return chosen
}
