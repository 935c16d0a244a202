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

// many is an agent for any number of players: greedy, max^n or paranoid. They search the root
// alike.
type many struct {
	cfg   config
	rng   *rand.Rand
	all   *position.Players // of tree
	stats *Stats            // of tree
	tree  tree
	ends  []float64 // what each player gets after each root move, if the tree tells
}

var _ Agent = (*many)(nil)

// tree is the search below the root.
type tree interface {
	// bind takes up the position to which the players are bound.
	bind(c *config)
	// begin begins an iteration; call end after it.
	begin(depth int) (end func())
	// value is what the planner gets from the present position, ply moves after the root and depth
	// decisions before the horizon. It may be a bound if it is at most floor.
	value(ply, depth int, floor float64) (v float64, bound bool)
	// found returns what each player gets, given the planner's last value v, nil if that is unknown,
	// and the moves that lead there. Both are valid until the next value.
	found(ply int, v float64) (values []float64, line []game.Move)
	// root tells an observer of the root.
	root(r *Result)
}

// broad are the options of an agent for any number of players, named agent: it
// searches to the end of the game where there is no limit.
func (o Options) broad(agent string) (config, error) {
	if o.Depth == 0 && o.Nodes == 0 && o.Time == 0 {
		o.Depth = deepest
	}
	if o.Prune > NoPrune {
		return config{}, fmt.Errorf("%s: star1 and star2 are of expectimax: want no prune, or the default", agent)
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
	m.rng = newRand(seed)
	m.all.Begin(&m.cfg.bound, seed)
}

// bind takes up the state s; call the returned function when the search is over.
func (m *many) bind(ctx context.Context, s game.State) (restore func()) {
	restore = m.all.Bind(ctx, &m.cfg.bound, s)
	m.tree.bind(&m.cfg)
	return restore
}

// Search asks for answers of growing depth until a limit stops it, or only for that of the depth if
// nothing else limits the search. If time allowed none, it returns the first move and the static
// value of the root; if ctx ended, its error.
func (m *many) Search(ctx context.Context, s game.State) (Result, error) {
	defer m.bind(ctx, s)()
	c, e := &m.cfg, &m.all.Pos.Effort
	first, last := c.Depth, cmp.Or(c.Depth, deepest)
	if c.Nodes > 0 || c.Time > 0 {
		first = 1
	}
	// Values of siblings that tie must be known before one is drawn.
	exact := c.Complete || c.Ties == Random
	var best Result
	found := false
	deepen(first, last, onward, func(depth int) (final, done bool) {
		r := m.answer(depth, exact)
		switch {
		case !e.Stopped():
			best, found = r, true
		case !found && len(r.Root) > 0: // half an iteration is only better than none
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

// answer searches the root to a depth. With exact, no root move's value is a
// bound. If a limit stopped it, Root holds the moves that were finished.
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
		r.Depth = depth - e.Least // the game ended everywhere before the horizon
	}
	if len(r.Root) > 0 {
		m.choose(&r)
	}
	return r
}

// take takes the values and the line that the last value of r comes from, after the moves r.PV.
func (m *many) take(r *Result, ply int) {
	values, line := m.tree.found(ply, r.Value)
	if values != nil {
		r.Values = append(r.Values[:0], values...)
	}
	r.PV = append(r.PV, line...)
}

// root searches each of the mover's moves. The mover may be nature's opponent,
// whose node is a chance node of the planned state and costs no depth.
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

// choose takes one of the root's equally good moves, of certain wins and losses one of
// the shortest and the longest.
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
			copy(r.Values, m.ends[k*m.all.Count:]) // the others may get something else from this move
		}
	}
	if c.Complete {
		near := position.Tolerance(r.Value)
		if len(pool) > 0 && m.all.Depth < c.Depth {
			// It ended early, and an estimate cannot tell what another move is worth at c.Depth.
			near = position.Rounding(r.Value)
		}
		for _, m := range r.Root {
			if m.Kind == Exact && m.Value >= r.Value-near {
				r.Best = append(r.Best, m.Move)
			}
		}
	}
}

// NewGreedy is an agent of one ply: it plays each move and evaluates the position right after it by
// o.Eval, or by its utility if finished. Where nature moves next it averages over nature's moves,
// or follows o.Assume; with afterstates for leaves it evaluates at once. Root holds the exact
// values of all moves.
func NewGreedy(o Options) (Agent, error) {
	c, err := o.config("greedy")
	if err != nil {
		return nil, err
	}
	c.Depth, c.Prune = 1, NoPrune // one ply is always finished
	if err := c.validate("greedy"); err != nil {
		return nil, err
	}
	return &greedy{newMaxN(c)}, nil
}

type greedy struct{ *many }

func (g *greedy) Search(ctx context.Context, s game.State) (Result, error) {
	within := context.Background() // one ply is finished, unless others have to search for it
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

// newRand is a source of random numbers that follows from seed alone.
func newRand(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, game.Mix(seed)))
}

// choose is the index of one of the root moves that are exact and as good as
// best, or of those in pool where there are any: the first, or one drawn by rng.
func choose(root []RootMove, best float64, pool []game.Move, ties Ties, rng *rand.Rand) int {
	chosen, equal := 0, 0
	for i, m := range root {
		switch {
		case len(pool) > 0 && !slices.Contains(pool, m.Move):
			continue
		case len(pool) == 0 && (m.Kind != Exact || !(m.Value >= best-position.Rounding(best))):
			continue
		}
		// The k-th of equal moves takes the place of the one kept so far with
		// probability 1/k: each is drawn with the same probability.
		if equal++; equal == 1 || ties == Random && rng.IntN(equal) == 0 {
			chosen = i
		}
	}
	return chosen
}
