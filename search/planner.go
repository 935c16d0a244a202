package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/game"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
)

// NewMinimax returns an agent that uses full-width minimax without a table. It is the reference for
// all searches that prune. Nature is an adversary unless o.Assume selects another model. The agent
// searches o.Depth decisions deep, or deepens until o.Time or o.Nodes is used up.
func NewMinimax(o Options) (Agent, error) { return newPlanner("minimax", o, assume.Adversary) }

// NewAlphaBeta returns an agent that computes the minimax value but prunes moves that cannot affect
// the root's value. With o.Order Natural and no table it visits exactly the nodes of the textbook
// algorithm, starting from the root window (-inf, +inf). With [Selective] it also makes unproven
// cuts.
func NewAlphaBeta(o Options) (Agent, error) { return newPlanner("alphabeta", o, assume.Adversary) }

// NewExpectimax returns an agent that averages over nature's moves. At other nodes, the players
// maximise or minimise.
func NewExpectimax(o Options) (Agent, error) { return newPlanner("expectimax", o, assume.Chance) }

// planner is the agent behind minimax, alpha-beta and expectimax. It searches the root to
// increasing depths with [textbook] or [pvs] and then chooses a move. Values are from the point of
// view of the player to move at the root ([position.View]).
type planner struct {
	name   string
	cfg    config
	nature assume.Kind // default model of nature for this kind of agent

	fast     pvs
	plain    bool               // use textbook instead of fast
	search   searches           // search function of textbook or fast
	text     *textbook          // textbook search contained in fast
	pos      *position.Position // position searched by text
	noisy    *qsearch           // quiescence search, or nil if not requested
	policies position.PolicyCache

	remembered noisyCache // cache of noisy's results; used only with the fast search

	root       root
	proof      *position.Forced // proof search for the root's value; nil if none has started
	proofNodes int64            // nodes visited by proof searches during the value search
	helpers    []*planner       // other threads
	helping    int              // number of this planner among another's helpers, starting from 1; 0 if it is not a helper
}

var (
	_ Agent   = (*planner)(nil)
	_ Limiter = (*planner)(nil)
)

func newPlanner(name string, o Options, nature assume.Kind) (Agent, error) {
	c, err := o.config(name)
	if err != nil {
		return nil, err
	}
	if err := c.validate(name); err != nil {
		return nil, err
	}
	if err := twoSided(name, c.Game, c.Game.Shape(), c.Assume.Kind == assume.Policy); err != nil {
		return nil, err
	}
	if err := c.validateFast(name); err != nil {
		return nil, err
	}
	p := &planner{name: name, cfg: c, nature: nature}
	prune, plain := true, false
	switch name {
	case "minimax":
		prune, plain = false, true
	case "alphabeta":
		plain = c.Order == Natural && c.Table < 0
	default:
		prune = c.Prune != NoPrune
		plain = c.Table < 0 && !prune
	}
	p.build(prune, plain)
	for i := 1; i < c.Threads; i++ {
		p.helpers = append(p.helpers, p.helper(i))
	}
	p.Begin(0)
	return p, nil
}

// build connects the searches to a common position.
func (p *planner) build(prune, plain bool) {
	p.plain, p.text = plain, &p.fast.text
	p.pos, p.text.prune, p.fast.cuts = &p.text.pos, prune, prune
	p.search = p.fast.search
	if plain {
		p.search = p.text.search
	}
	p.text.beyond, p.fast.visits = p.search, p.pos.Effort.Visits
	if p.cfg.Quiescence {
		p.noisy = &qsearch{pos: p.pos, pv: &p.text.pv, prune: prune, value: p.text.value}
		p.remembered = noisyCache{from: &p.fast}
	}
}

func (p *planner) Begin(seed uint64) {
	p.pos.Nature.Seed = game.Mix(seed)
	p.policies = position.NewPolicyCache(p.cfg.Assume.Policy)
	p.remembered.forget()
	if p.helping > 0 {
		return
	}
	if p.fast.table != nil {
		p.fast.table.forget()
	}
	if p.fast.solver != nil {
		p.fast.solver.Forget()
	}
}

func (p *planner) Search(ctx context.Context, s game.State) (res Result, err error) {
	world := s.Turn()
	clones := make([]game.State, len(p.helpers))
	for i := range clones {
		clones[i] = s.Clone()
	}
	restore, err := p.take(ctx, s)
	if err != nil {
		return Result{Move: game.NoMove}, err
	}
	defer restore()
	if len(p.helpers) > 0 {
		p.fast.busy = nil
		var help func() int64
		p.pos.Effort.At(patience, func() { help = p.startHelpers(ctx, clones) })
		defer func() {
			if help != nil {
				res.Nodes += help()
			}
		}()
	}

	res.Move = game.NoMove
	p.proof, p.proofNodes = nil, 0
	p.root.reset(position.OfMax, false)
	switch turn := p.pos.State.Turn(); {
	case turn == game.Nobody:
		p.pos.Effort.Nodes = 1
		res.Value, res.Exact = p.pos.Utility(), true
	case world < 0:
		err = p.deepen(ctx, &res, func(depth int) float64 {
			return p.search(position.OfMax, depth, -inf, inf)
		})
	default:
		err = p.decide(ctx, &res, world)
	}
	p.finish(&res)
	if fault := p.pos.Effort.Fault(); fault != nil {
		return Result{Move: game.NoMove}, fault
	}
	return res, err
}

// take prepares p to search s, a position in the world. The caller must call restore after the
// search.
func (p *planner) take(ctx context.Context, s game.State) (restore func(), err error) {
	var (
		c      = &p.cfg
		sh     = game.ShapeOf(c.Game, s)
		world  = s.Turn()
		follow = c.Assume.Kind == assume.Policy
	)
	if err := twoSided(p.name, c.Game, sh, follow); err != nil {
		return nil, err
	}
	adversary, hostile := game.As[*game.Adversary](s)
	planned, nature, restore := c.Assume.Plan(s, p.nature)

	me := game.Player(0)
	p.pos.Nature.Policy, p.pos.Nature.Others = nil, false
	if follow {
		p.pos.Nature.Policy = &p.policies
		if solo := sh.Players == 1 || hostile && adversary.Solo(); !solo {
			nature, p.pos.Nature.Others = assume.NatureAverages, true
			me = max(0, world)
		}
	}
	p.pos.Bind(ctx, &c.bound, planned, nature, me, sh)
	p.bind()
	return restore, nil
}

// move returns the same move as Search. If the evaluation searches the tree itself, move computes
// only the values of the root's moves.
func (p *planner) move(ctx context.Context, s game.State) (game.Move, error) {
	c := &p.cfg
	if _, ok := c.Eval.(foreseer); !ok || p.plain || c.Depth == 0 || c.Nodes > 0 || c.Time > 0 || c.Ties != First || c.Iteration != nil || s.Turn() < 0 {
		r, err := p.Search(ctx, s)
		return r.Move, err
	}
	p.pos.Effort.Untimed = true
	restore, err := p.take(ctx, s)
	p.pos.Effort.Untimed = false
	if err != nil {
		return game.NoMove, err
	}
	m, ok := p.foreseen(c.Depth)
	stopped := p.pos.Effort.Stopped()
	restore()
	switch {
	case stopped:
		return game.NoMove, ctx.Err()
	case !ok:
		r, err := p.Search(ctx, s)
		return r.Move, err
	}
	return m, nil
}

// foreseen returns the first root move whose value equals the best up to rounding. The result ok is
// false if the evaluation cannot search the position.
func (p *planner) foreseen(depth int) (m game.Move, ok bool) {
	pos, r := p.pos, &p.root
	if p.fast.known.foreseer == nil || p.fast.known.reach < depth-1 || pos.State.Turn() != pos.Me {
		return game.NoMove, false
	}
	pos.Moves = pos.State.Moves(pos.Moves[:0])
	r.reset(position.OfMax, true)
	best := -inf
	for _, m := range pos.Moves {
		pos.Play(m)
		v, ok := p.fast.beyond(depth - 1)
		pos.Undo()
		if !ok || math.IsNaN(v) || pos.Effort.Stopped() {
			return game.NoMove, false
		}
		r.add(RootMove{Move: m, Value: v})
		best = max(best, v)
	}
	for _, m := range r.moves {
		if best-m.Value <= position.Rounding(best) {
			return m.Move, true
		}
	}
	return game.NoMove, false
}

// bind prepares the searches for the position to which p.pos is bound.
func (p *planner) bind() {
	p.text.pv.restart()
	p.text.stats = Stats{}
	p.text.qsearch, p.text.observer = nil, p.cfg.Observer
	var ranker game.Ranker // nil for the textbook search
	if !p.plain && p.cfg.Order == Auto {
		ranker, _ = game.As[game.Ranker](p.pos.State)
	}
	if q := p.noisy; q != nil && q.bind(p.pos.State, ranker) {
		p.text.qsearch = q
	}
	p.text.bindFrontier(p.text.qsearch == nil && p.cfg.Observer == nil)
	if p.plain {
		return
	}
	p.fast.bind(&p.cfg, p.helping)
	if q := p.text.qsearch; q != nil {
		q.memory, q.guess = nil, nil
		if p.fast.scout && p.cfg.Observer == nil {
			q.memory = &p.remembered
		}
		if p.fast.guess.on {
			q.guess = &p.fast.guess
		}
	}
}

// decide searches a root at which a player is to move. If this player plays for nature, the move is
// not counted in the depth.
func (p *planner) decide(ctx context.Context, res *Result, mover game.Player) error {
	pos := p.pos
	pos.Moves = pos.State.Moves(pos.Moves)
	moves := pos.Moves[:len(pos.Moves):len(pos.Moves)]
	defer func() { pos.Moves = pos.Moves[:0] }()

	p.root.reset(pos.Chooser(mover), pos.State.Turn() >= 0)
	for _, m := range moves {
		r := RootMove{Move: m}
		if !p.plain && p.fast.order.ranker != nil {
			r.Value = float64(p.fast.order.ranker.Rank(m))
		}
		p.root.add(r)
	}
	res.Move = moves[0]
	err := p.deepen(ctx, res, func(depth int) float64 {
		v := p.rootValue(depth)
		if !pos.Effort.Stopped() {
			res.Root = append(res.Root[:0], p.root.moves...)
			res.PV = p.line(depth)
		}
		return v
	})
	if len(res.Root) == 0 {
		if p.root.best >= 0 { // the first iteration was interrupted
			res.Move = p.root.moves[p.root.best].Move
		}
		return err
	}
	if bad := p.unordered(res); bad != nil {
		return bad
	}
	p.choose(res)
	p.overtake(res)
	return err
}

// overtake replaces the move of the last completed iteration with the best move of a deeper,
// interrupted iteration. It does so if the interrupted iteration searched both moves to the same
// depth and the new move was better by more than rounding errors. The work of the deeper iteration
// is then not wasted. Values remain those of the completed depth, because only that depth has
// values for all moves.
func (p *planner) overtake(res *Result) {
	r := &p.root
	if !r.improved || p.cfg.Complete {
		return
	}
	res.Move = r.moves[r.best].Move
	p.text.pv.lines[0] = append(p.text.pv.lines[0][:0], res.Move)
	res.PV = p.line(res.Depth + 1)
}

// unordered returns an error if the root's moves cannot be compared because the evaluation of some
// position returned NaN. It is called once per search.
func (p *planner) unordered(res *Result) error {
	nan := math.IsNaN(res.Value) || len(res.equal(position.Rounding(res.Value))) == 0
	for _, r := range res.Root {
		nan = nan || math.IsNaN(r.Value)
	}
	if !nan {
		return nil
	}
	return fmt.Errorf("%s: the evaluation is NaN within %d decisions of %s; want a number at every position", p.name, res.Depth, p.pos.State)
}

// deepen searches the root to the requested horizon, or to increasing horizons within the limits.
func (p *planner) deepen(ctx context.Context, res *Result, value func(depth int) float64) error {
	var (
		c     = &p.cfg
		e     = &p.pos.Effort
		last  = cmp.Or(c.Depth, deepest)
		first = c.Depth
		next  = onward
	)
	if c.Time > 0 || c.Nodes > 0 || c.Depth == 0 || c.Iteration != nil {
		first = 1
	}
	if first > 1 && !p.plain && p.fast.scout && !p.pos.Static.Ignorant {
		// Shallower searches fill the table with the moves to try first. This works best if their
		// depths have the same parity, so the depth grows by two.
		next, first = p.warmup(last), 2-last%2
	}
	begin := len(p.pos.Moves)
	finished := deepen(first, last, next, func(depth int) (final, done bool) {
		e.Estimates, e.Least = 0, depth
		v := value(depth)
		if e.Stopped() {
			p.pos.Moves, p.pos.Nature.Probs, p.pos.Nature.Path = p.pos.Moves[:begin], p.pos.Nature.Probs[:0], 1
			return false, false
		}
		res.Value, res.Depth, p.root.depth = v, depth, depth
		p.root.last = p.root.best
		res.Nodes, res.Elapsed, res.Stats = e.Nodes, e.Elapsed(), p.text.stats.with(e)
		res.Exact = e.Estimates == 0 || p.certain(v, depth)
		if e.Estimates == 0 {
			res.Depth = depth - e.Least // all lines ended before the horizon
		}
		if c.Iteration != nil {
			p.report(*res)
		}
		if !res.Exact { // otherwise deeper searches return the same value
			p.root.open = depth
		}
		return res.Exact, true
	})
	if !finished {
		res.Nodes, res.Elapsed, res.Stats = e.Nodes, e.Elapsed(), p.text.stats.with(e)
		res.Value = p.root.own.Of(p.pos.Evaluate())
		return ctx.Err()
	}
	return nil
}

// warmup returns a function that determines the next horizon. Horizons grow in steps of two. In a
// game with a solver, they grow only as far as the solver requests and then jump to the last
// horizon.
func (p *planner) warmup(last int) (next func(depth int) int) {
	enough := last
	if p.fast.known.solves && !p.fast.guess.on {
		if d, ok := p.fast.known.solver.Warmup(last); ok {
			enough = min(d, last)
		}
	}
	return func(depth int) int {
		if depth+2 > enough && depth < last {
			return last
		}
		return depth + 2
	}
}

// report calls the Iteration callback with the result of a completed depth. The result has the same
// form as a result of Search.
func (p *planner) report(res Result) {
	res.Root, res.PV = slices.Clone(res.Root), slices.Clone(res.PV)
	if len(res.PV) > 0 {
		res.Move = res.PV[0]
	}
	p.finish(&res)
	p.cfg.Iteration(res)
}

func (p *planner) Limit(depth int, nodes int64) {
	p.cfg.Depth, p.cfg.Nodes, p.cfg.bound.Nodes = depth, nodes, nodes
	for _, h := range p.helpers {
		h.cfg.Depth = depth
	}
}

// finish converts the root value of the mover into values for all players. It removes any -0 that
// negation produced.
func (p *planner) finish(res *Result) {
	pos := p.pos
	if res.Elapsed == 0 {
		e := &pos.Effort
		res.Nodes, res.Elapsed, res.Stats = e.Nodes, e.Elapsed(), p.text.stats.with(e)
	}
	sum, shift := position.Total(pos.Shape), 0.0
	mine := p.root.own.Of(res.Value) + 0 // turns -0 into 0
	switch {
	case pos.Shape.Players == 1:
		res.Values = []float64{mine}
	case pos.Shape.Players == 2 && pos.Shape.Sum != game.General:
		res.Values = []float64{mine, sum - mine}
		if pos.Me == 1 {
			res.Values[0], res.Values[1] = res.Values[1], res.Values[0]
		}
	}
	if p.root.own == position.OfMin {
		shift = sum // the minimiser's value is the negated utility of the maximiser
	}
	res.Value += shift
	for i := range res.Root {
		res.Root[i].Value += shift
	}
}
