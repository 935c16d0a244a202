package search

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"plyfit/game"
	"plyfit/models"
)

// NewRandom is an agent that draws uniformly from the legal moves, by the seed
// given to Begin. It has no opinion on the position: Values is nil, Nodes 0.
func NewRandom(_ Config) Agent { return NewSampler(Uniform{}) }

// NewGreedy is an agent of one ply: it plays each move and judges the position
// right after it, a finished one by its utility, any other by cfg.Eval. Where
// nature is to move there, it averages over nature's moves, or does what
// cfg.Assume says; with afterstates for leaves it evaluates at once. Root
// holds the exact values of all moves. cfg's limits are not used: one ply is
// always finished.
func NewGreedy(cfg Config) Agent {
	g := &greedy{cfg: cfg}
	g.Begin(0)
	return g
}

type greedy struct {
	cfg  Config
	rng  *rand.Rand
	tree maxnTree
}

var _ Agent = (*greedy)(nil)

func (g *greedy) Begin(seed uint64) { g.rng = newRand(seed) }

func (g *greedy) Search(_ context.Context, s game.State) (Result, error) {
	begin := time.Now()
	t := &g.tree
	t.open(&g.cfg, s, AssumeChance)
	defer t.close()
	t.watch.start(context.Background(), 0, 0)
	t.rivals = false
	r := t.answer(1, g.cfg.Complete)
	t.settle(&r, &g.cfg, g.rng)
	r.Elapsed = time.Since(begin)
	return r, nil
}

// newRand is a source of random numbers that follows from seed alone.
func newRand(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, game.Mix(seed)))
}

// tieTolerance is how far below the best value a move may lie and still be as
// good as the best.
func tieTolerance(best float64) float64 { return 1e-9 * math.Max(1, math.Abs(best)) }

// choose is the index of one of the root moves that are exact and as good as
// best: the first, or one drawn by rng.
func choose(root []RootMove, best float64, ties Ties, rng *rand.Rand) int {
	chosen, equal := 0, 0
	for i, m := range root {
		if m.Kind != Exact || !(m.Value >= best-tieTolerance(best)) {
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

// equals appends the root moves that are as good as best; all must be exact.
func equals(root []RootMove, best float64, dst []game.Move) []game.Move {
	for _, m := range root {
		if m.Kind == Exact && m.Value >= best-tieTolerance(best) {
			dst = append(dst, m.Move)
		}
	}
	return dst
}

// outlook is what a planner sees of a position: the state it plans on
// ([Assume.plan]) with its capabilities, asked for once, and what its ends and
// leaves are worth.
type outlook struct {
	s, base game.State
	slip    *game.Slip // nil: none
	chancer game.Chancer
	bounder game.Bounder
	undo    func()

	nature natureIs
	policy game.Policy
	leaf   models.Leaves

	players int
	mirror  bool // two players and a sum of zero: player 1's value is minus player 0's
	sum     game.Sum
	lo, hi  float64 // the game's bounds

	mover game.Player // who decides at the root, in the world: nature's opponent too
	hero  game.Player // whose plan this is: the mover, player 0 where there is none

	eval        Evaluator
	track       Tracker // eval, where it is kept up to date
	evaluations int64
}

// open looks at s; close is to be called when all that was played since has
// been taken back.
func (o *outlook) open(cfg *Config, s game.State, planner AssumeKind) {
	if cfg.Game == nil || cfg.Eval == nil {
		panic("search: a Config without Game or Eval")
	}
	if cfg.Assume.Kind == AssumePolicy && cfg.Assume.Policy == nil {
		panic("search: AssumePolicy without a Policy")
	}
	shape := game.ShapeOf(cfg.Game, s)
	if _, hostile := game.As[*game.Adversary](s); hostile && shape.Players == 1 {
		// The agent was made for the game of one and is shown its hostile world.
		most := math.Max(math.Abs(shape.Min), math.Abs(shape.Max))
		shape = game.Shape{Players: 2, Sum: game.Zero, Min: -most, Max: most}
	}
	o.players, o.sum, o.lo, o.hi = shape.Players, shape.Sum, shape.Min, shape.Max
	o.mirror = shape.Players == 2 && shape.Sum == game.Zero
	o.mover = s.Turn()
	o.hero = max(o.mover, 0)
	o.s, o.nature, o.undo = cfg.Assume.plan(s, planner)
	o.base = game.Base(o.s)
	o.slip, _ = o.s.(*game.Slip)
	o.chancer, _ = game.As[game.Chancer](o.s)
	o.bounder, _ = game.As[game.Bounder](o.s)
	o.policy, o.leaf = cfg.Assume.Policy, cfg.Leaf
	o.eval, o.evaluations = cfg.Eval, 0
	if o.track, _ = cfg.Eval.(Tracker); o.track != nil {
		o.track.Reset(o.base)
	}
}

func (o *outlook) close() { o.undo() }

// play makes a move of the planned state.
func (o *outlook) play(m game.Move) {
	// A choice that may slip moves nothing on the board yet.
	if o.track != nil && !(o.slip != nil && o.s.Turn() >= 0) {
		o.track.Push(o.base, m)
	}
	o.s.Play(m)
}

// back takes the last play back.
func (o *outlook) back() {
	if o.track != nil && !(o.slip != nil && o.s.Turn() == game.Chance && o.base.Turn() >= 0) {
		o.track.Pop()
	}
	o.s.Undo()
}

// stopsAtChance tells whether a search with no decisions left stops at the
// chance node at hand: at the base game's where leaves are afterstates, never
// at a slip.
func (o *outlook) stopsAtChance() bool {
	return o.leaf == models.Afterstate && o.base.Turn() == game.Chance
}

// follows tells whether who is to move, turn, follows the policy: in games of
// one nature does (a slip is nobody's choice and keeps its probabilities), in
// games of more everyone but the hero.
func (o *outlook) follows(turn game.Player) bool {
	if o.nature != natureFollows {
		return false
	}
	if o.players == 1 {
		return turn == game.Chance && o.base.Turn() == game.Chance
	}
	return turn >= 0 && turn != o.hero
}

// chances appends the probabilities of the moves of nature, or of someone who
// follows the policy.
func (o *outlook) chances(turn game.Player, moves []game.Move, dst []float64) []float64 {
	switch {
	case o.follows(turn):
		return o.policy.Probs(o.s, moves, dst)
	case o.nature == natureUniform:
		for range moves {
			dst = append(dst, 1/float64(len(moves)))
		}
		return dst
	}
	for _, m := range moves {
		dst = append(dst, o.chancer.Prob(m))
	}
	return dst
}

// natureWorth is what nature's opponent of For makes of values: in games of
// two what the other player gets, else the opposite of what For gets.
func (o *outlook) natureWorth(values []float64) float64 {
	if p := o.chancer.For(); o.players == 2 {
		return values[1-p]
	} else {
		return -values[p]
	}
}

// utilities writes what every player gets at a finished position.
func (o *outlook) utilities(v []float64) {
	v[0] = o.s.Utility(0)
	if o.mirror {
		v[1] = -v[0]
		return
	}
	for p := 1; p < len(v); p++ {
		v[p] = o.s.Utility(game.Player(p))
	}
}

// evaluate writes what the evaluation expects for every player.
func (o *outlook) evaluate(v []float64) {
	v[0] = o.expect(0)
	if o.mirror {
		v[1] = -v[0]
		return
	}
	for p := 1; p < len(v); p++ {
		v[p] = o.expect(game.Player(p))
	}
}

// expect is the evaluation for p, inside the state's bounds and the game's.
func (o *outlook) expect(p game.Player) float64 {
	o.evaluations++
	lo, hi := o.bounds(p)
	return min(max(o.eval.Evaluate(o.base, p), lo), hi)
}

// bounds enclose the utility of p from here on.
func (o *outlook) bounds(p game.Player) (lo, hi float64) {
	lo, hi = o.lo, o.hi
	if o.bounder != nil {
		l, h := o.bounder.Bounds(p)
		lo, hi = max(lo, l), min(hi, h)
	}
	return lo, hi
}

// watch counts nodes and knows when a search has to stop.
type watch struct {
	ctx      context.Context
	deadline time.Time
	limit    int64 // of nodes; 0: none
	nodes    int64
	stopped  bool
}

// watchEvery is how many nodes go by between two looks at the clock.
const watchEvery = 256

func (w *watch) start(ctx context.Context, nodes int64, limit time.Duration) {
	*w = watch{ctx: ctx, limit: nodes}
	if limit > 0 {
		w.deadline = time.Now().Add(limit)
	}
	w.look()
}

// tick counts a node; false: the search has to stop.
func (w *watch) tick() bool {
	if w.stopped {
		return false
	}
	if w.limit > 0 && w.nodes >= w.limit {
		w.stopped = true
		return false
	}
	if w.nodes++; w.nodes%watchEvery == 0 {
		w.look()
	}
	return !w.stopped
}

func (w *watch) look() {
	if w.ctx.Err() != nil || !w.deadline.IsZero() && !time.Now().Before(w.deadline) {
		w.stopped = true
	}
}
