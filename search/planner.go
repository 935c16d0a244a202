package search

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"plyfit/game"
)

// NewMinimax is the plain reference for everything that prunes: full-width
// minimax without a table, in which nature is an adversary unless c.Assume says
// otherwise. It looks c.Depth decisions ahead, or deeper and deeper until
// c.Time or c.Nodes run out.
func NewMinimax(c Config) (Agent, error) {
	return newPlanner("minimax", c, AssumeAdversary)
}

// NewAlphaBeta is minimax that leaves out what cannot matter to the root.
// With c.Order Natural and no table it is the textbook's algorithm, node for
// node, its root window (-inf, +inf).
func NewAlphaBeta(c Config) (Agent, error) {
	return newPlanner("alphabeta", c, AssumeAdversary)
}

// NewExpectimax averages over nature's moves; the players maximize and
// minimize.
func NewExpectimax(c Config) (Agent, error) {
	return newPlanner("expectimax", c, AssumeChance)
}

// planner is the agent behind minimax, alpha-beta and expectimax: the root of
// their trees.
type planner struct {
	name   string
	cfg    Config
	nature AssumeKind // what the kind of agent takes nature for

	w        walker
	policies policyCache
	root     []RootMove // in the game's order, values those of w.me
	order    []int      // of the root's moves in the order to search them in
	best     int        // the root's move that is best so far
	looked   int        // decisions before the horizon of the last loop that was finished
	open     int        // decisions within which the root was seen to be no certain win or loss
	proof    *forced    // of the root's value; nil: none was asked for
	aside    int64      // nodes that proofs visited while the value was searched
	plain    bool       // the textbook's walk
	helpers  []*planner // the other threads
	helping  int        // which of another planner's helpers this is, from 1; 0: none
	seed     uint64
}

var (
	_ Agent   = (*planner)(nil)
	_ Limiter = (*planner)(nil)
)

func newPlanner(name string, c Config, nature AssumeKind) (Agent, error) {
	if err := c.validate(name); err != nil {
		return nil, err
	}
	if err := twoSided(name, c.Game, c.Game.Shape(), c.Assume.Kind == AssumePolicy); err != nil {
		return nil, err
	}
	p := &planner{name: name, cfg: c, nature: nature}
	w := &p.w
	w.prune = name != "minimax" && !(name == "expectimax" && c.Prune == NoPrune)
	switch name {
	case "minimax":
		if c.Threads > 1 {
			return nil, fmt.Errorf("minimax: threads=%d: it is the plain reference, for one thread", c.Threads)
		}
		p.plain = true
	case "alphabeta":
		p.plain = c.Order == Natural && c.Table < 0 && c.Prune == PruneDefault
	default:
		p.plain = c.Table < 0 && c.Prune == NoPrune
	}
	if p.plain && c.Threads > 1 || c.Table < 0 && c.Threads > 1 {
		return nil, fmt.Errorf("%s: threads=%d: want a table, which they share", name, c.Threads)
	}
	w.cuts = w.prune
	for i := 1; i < c.Threads; i++ {
		p.helpers = append(p.helpers, p.helper(i))
	}
	p.Begin(0)
	return p, nil
}

// Begin implements [Agent].
func (p *planner) Begin(seed uint64) {
	p.seed = seed
	p.w.seed = game.Mix(seed)
	p.policies = policyCache{policy: p.cfg.Assume.Policy, known: map[uint64][]float64{}}
	if p.w.table != nil && p.helping == 0 {
		p.w.table.forget()
	}
}

// mature sets up what only the grown-up walk needs, for a position that
// p.w.prepare knows.
func (p *planner) mature() {
	w, c := &p.w, &p.cfg
	if w.table == nil && c.Table >= 0 {
		megabytes := c.Table
		if megabytes == 0 {
			megabytes = defaultTable
		}
		w.table = newTable(megabytes)
	}
	if w.table != nil && p.helping == 0 {
		w.table.next()
	}
	w.order.reset(w.state, c.Order == Natural)
	if p.helping > 0 {
		w.order.stir(uint64(p.helping))
	}
	opposed := w.shape.Players == 2 && !w.others || w.nature == natureOpposes
	exactly := c.Samples == 0
	w.grown = true
	w.unsorted = w.noisy == nil && w.observer == nil && (w.constant || w.order.natural || w.order.ranker == nil)
	w.prune1 = w.cuts && exactly && (c.Prune != NoPrune)
	w.prune2 = w.prune1 && (c.Prune == Star2 || c.Prune == PruneDefault && opposed)
	w.scout = w.cuts && w.table != nil && c.Order == Auto && (w.chancer == nil || w.nature == natureOpposes)
	w.foreseer = nil
	if !w.strict && w.shape.Players == 1 && w.nature == natureAverages && w.policy == nil && w.slip == nil && w.afterstate && w.short && exactly && c.MinProb == 0 {
		// It heeds the position's own bounds: they have to lie within the game's,
		// and all do where the root's do.
		lo, hi := w.shape.Min, w.shape.Max
		if w.bounder != nil {
			lo, hi = w.bounder.Bounds(w.me)
		}
		if lo >= w.shape.Min && hi <= w.shape.Max {
			w.foreseer, _ = c.Eval.(Foreseer)
		}
	}
	w.narrower, w.solver = nil, nil
	if w.slip == nil && w.chancer == nil && !w.others && w.cuts {
		w.narrower, _ = game.As[game.Narrower](w.state)
		if w.observer == nil { // who wants to hear of every node
			w.solver, _ = game.As[game.Solver](w.state)
		}
	}
}

// deepest is the horizon of a search without a limit of depth.
const deepest = 1 << 20

// Search implements [Agent].
func (p *planner) Search(ctx context.Context, s game.State) (res Result, err error) {
	var (
		c      = &p.cfg
		w      = &p.w
		sh     = game.ShapeOf(c.Game, s)
		world  = s.Turn()
		follow = c.Assume.Kind == AssumePolicy
	)
	if err := twoSided(p.name, c.Game, sh, follow); err != nil {
		return Result{Move: game.NoMove}, err
	}
	adversary, hostile := game.As[*game.Adversary](s)
	clones := make([]game.State, len(p.helpers))
	for i := range clones {
		clones[i] = s.Clone()
	}
	planned, nature, restore := c.Assume.plan(s, p.nature)
	defer restore()

	me := game.Player(0)
	w.policy, w.others = nil, false
	if follow {
		w.policy = &p.policies
		if solo := sh.Players == 1 || hostile && adversary.Solo(); !solo {
			nature, w.others = natureAverages, true
			me = max(0, world)
		}
	}
	w.prepare(ctx, c, planned, nature, me, sh)
	if !p.plain {
		p.mature()
	}
	if len(p.helpers) > 0 {
		w.busy = nil
		var help func() int64
		w.meter.at(patience, func() { help = p.summon(ctx, clones) })
		defer func() {
			if help != nil {
				res.Nodes += help()
			}
		}()
	}

	res.Move = game.NoMove
	switch turn := planned.Turn(); {
	case turn == game.Nobody:
		w.nodes = 1
		res.Value, res.Exact = w.utility(), true
	case world < 0:
		p.open, p.proof, p.aside = 0, nil, 0
		err = p.deepen(ctx, &res, world, func(depth int) float64 {
			return p.value(depth, math.Inf(-1), math.Inf(1))
		})
	default:
		err = p.decide(ctx, &res, world)
	}
	p.finish(&res, world)
	return res, err
}

// decide searches a root at which the player mover is to move; that may be
// nature's stand-in, whose move does not count in the depth.
func (p *planner) decide(ctx context.Context, res *Result, mover game.Player) error {
	w := &p.w
	counts := w.state.Turn() >= 0
	maximize := mover == w.me
	w.moves = w.state.Moves(w.moves)
	moves := w.moves[:len(w.moves):len(w.moves)]
	defer func() { w.moves = w.moves[:0] }()

	p.root, p.order, p.best = p.root[:0], p.order[:0], -1
	ranker := w.order.ranker
	for i, m := range moves {
		r := RootMove{Move: m}
		if ranker != nil && !p.plain {
			r.Value = float64(ranker.Rank(m))
			if !maximize {
				r.Value = -r.Value
			}
		}
		p.root, p.order = append(p.root, r), append(p.order, i)
	}
	res.Move = moves[0]
	p.open, p.proof, p.aside = 0, nil, 0
	err := p.deepen(ctx, res, mover, func(depth int) float64 {
		var v float64
		if p.plain {
			v = p.rootLoop(depth, counts, maximize)
		} else {
			v = p.grown(depth, counts, maximize)
		}
		if !w.meter.stopped {
			res.Root = append(res.Root[:0], p.root...)
			res.PV = p.line(depth)
		}
		return v
	})
	if len(res.Root) == 0 {
		return err
	}
	if bad := p.unordered(res); bad != nil {
		return bad
	}
	p.choose(res, maximize, counts)
	return err
}

// unordered is an error where the values of the root's moves cannot be compared:
// the evaluation is NaN somewhere below. Asked once a search, at the root, where
// NaN has come up or has left no move that is as good as the best.
func (p *planner) unordered(res *Result) error {
	nan := math.IsNaN(res.Value) || len(res.equal(rounding(res.Value))) == 0
	for _, r := range res.Root {
		nan = nan || math.IsNaN(r.Value)
	}
	if !nan {
		return nil
	}
	return fmt.Errorf("%s: the evaluation is NaN within %d decisions of %s: want a number at every position", p.name, res.Depth, p.w.state)
}

// value is that of the present position, by the walk that the agent takes.
func (p *planner) value(depth int, alpha, beta float64) float64 {
	if p.plain {
		return p.w.walk(depth, alpha, beta)
	}
	return p.w.look(depth, alpha, beta)
}

// rootLoop is the textbook's loop over the root's moves.
func (p *planner) rootLoop(depth int, counts, maximize bool) float64 {
	w := &p.w
	if counts {
		depth--
	}
	w.nodes++
	lo, hi := math.Inf(-1), math.Inf(1)
	best := lo
	if !maximize {
		best = hi
	}
	w.ply = 0
	w.line[0] = w.line[0][:0]
	w.deeper()
	defer func() { w.ply = 0 }()
	for i := range p.root {
		r := &p.root[i]
		w.play(r.Move)
		r.Value = w.walk(depth, lo, hi)
		w.undo()
		if w.meter.stopped {
			return 0
		}
		r.Kind = kindOf(r.Value, lo, hi)
		if maximize && r.Value > best || !maximize && r.Value < best {
			best = r.Value
			w.extend(r.Move)
			if w.prune {
				if maximize {
					lo = best
				} else {
					hi = best
				}
			}
		}
	}
	return best
}

// deepen calls look with the horizon that was asked for, or with one after the
// other while there is time.
func (p *planner) deepen(ctx context.Context, res *Result, mover game.Player, look func(depth int) float64) error {
	var (
		c     = &p.cfg
		w     = &p.w
		last  = c.Depth
		first = c.Depth
	)
	if last == 0 {
		last = deepest
	}
	step := 1
	if c.Time > 0 || c.Nodes > 0 || c.Depth == 0 || c.Iteration != nil {
		first = 1
	}
	if first > 1 && !p.plain && w.scout && !w.ignorant {
		// Shallower searches teach the table which moves to try first; they do it
		// best from as many decisions of each side, two by two.
		step, first = 2, 2-c.Depth%2
	}
	begin, finished, seen := len(w.moves), false, 0
	for depth := first; depth <= last; depth += step {
		w.guess, w.least = 0, depth
		v := look(depth)
		if w.meter.stopped {
			w.moves, w.probs, w.prob = w.moves[:begin], w.probs[:0], 1
			break
		}
		res.Value, res.Depth, p.looked, finished = v, depth, depth, true
		res.Nodes, res.Elapsed, res.Stats = w.nodes, time.Since(w.meter.started), w.stats
		res.Exact = w.guess == 0 || p.certain(v, depth)
		if seen = max(seen, depth-w.least); w.guess == 0 {
			res.Depth = seen // the game ended everywhere before the horizon
		}
		if c.Iteration != nil {
			p.report(*res, mover)
		}
		if res.Exact {
			break // deeper, the value stays
		}
		p.open = depth
	}
	if !finished {
		res.Nodes, res.Elapsed, res.Stats = w.nodes, time.Since(w.meter.started), w.stats
		res.Value = w.evaluate()
		return ctx.Err()
	}
	return nil
}

// report tells of a depth that was finished, as Search would if it ended now.
func (p *planner) report(res Result, mover game.Player) {
	res.Root, res.PV = slices.Clone(res.Root), slices.Clone(res.PV)
	if len(res.PV) > 0 {
		res.Move = res.PV[0]
	}
	p.finish(&res, mover)
	p.cfg.Iteration(res)
}

// Limit implements [Limiter].
func (p *planner) Limit(depth int, nodes int64) {
	p.cfg.Depth, p.cfg.Nodes = depth, nodes
	for _, h := range p.helpers {
		h.cfg.Depth = depth
	}
}

// choose finds the best moves and takes one: of those that are as good as the
// best, one of the shortest wins or of the longest losses where they are certain,
// by c.Ties among equals.
func (p *planner) choose(res *Result, maximize, counts bool) {
	w, c := &p.w, &p.cfg
	near := tolerance(res.Value)
	before := res.Nodes
	found := res.equal(rounding(res.Value)) // at the depth that ended the search
	if c.Complete || c.Ties == Random {
		w.observer = nil
		w.meter.resume(w.nodes)
		p.complete(res, maximize, counts, near)
	}
	pool := res.equal(rounding(res.Value))
	if c.Complete {
		res.Best = res.equal(near)
	}
	pool = p.direct(res, maximize, counts, found, pool)
	res.BestNodes = w.nodes - before + p.aside
	res.Move = pool[0]
	if c.Ties == Random {
		w.seed = game.Mix(w.seed)
		res.Move = pool[w.seed%uint64(len(pool))]
	}
	if len(res.PV) == 0 || res.PV[0] != res.Move {
		w.line[0] = append(w.line[0][:0], res.Move)
		res.PV = p.line(res.Depth)
	}
}

// equal are the root's moves that are known to be worth the result's value, as
// near as near.
func (r *Result) equal(near float64) []game.Move {
	moves := make([]game.Move, 0, len(r.Root))
	for _, m := range r.Root {
		if m.Kind == Exact && math.Abs(m.Value-r.Value) <= near {
			moves = append(moves, m.Move)
		}
	}
	return moves
}

// complete settles which of the root's moves are as good as the best: where
// only a bound is known of one, and the bound does not tell, whether its value
// reaches the best is asked with a null window (Pearl 1980, TEST). Those that
// do not keep their bound. Limits of time hold here as well, and a limit of
// nodes anew: moves that are unsettled then are not among the best.
//
// Where the root is a certain loss all moves are. A certain win that was found
// before the depth that was asked for ended the search; of the other moves that
// depth has yet to tell.
func (p *planner) complete(res *Result, maximize, counts bool, near float64) {
	w, c := &p.w, &p.cfg
	w.ply = 0
	depth := max(p.looked, c.Depth)
	if res.Exact && w.guess > 0 {
		p.unsettle(res, maximize)
	}
	if counts {
		depth--
	}
	for i := range res.Root {
		r := &res.Root[i]
		if r.Kind == Exact {
			continue
		}
		reaches, done := p.reaches(r, res.Value, rounding(res.Value), depth, maximize)
		if reaches {
			r.Kind, r.Value = Exact, res.Value
		} else if done && c.Complete {
			// As good as the best, but not to the last digit.
			if reaches, done = p.reaches(r, res.Value, near, depth, maximize); reaches {
				r.Kind = Exact
			}
		}
		if !done {
			return
		}
	}
}

// reaches tells whether the root's move r, of which a bound is known, is at most
// near worse than best, and keeps the better bound if it is not. done is false
// where a limit stopped it.
func (p *planner) reaches(r *RootMove, best, near float64, depth int, maximize bool) (reaches, done bool) {
	w := &p.w
	if maximize && r.Value < best-near || !maximize && r.Value > best+near {
		return false, true
	}
	lo, hi := best-near, above(best-near)
	if !maximize {
		lo, hi = under(best+near), best+near
	}
	w.play(r.Move)
	v := p.value(depth, lo, hi)
	w.undo()
	if w.meter.stopped {
		return false, false
	}
	if maximize && v >= hi || !maximize && v <= lo {
		return true, true
	}
	r.Value = v
	return false, true
}

// unsettle corrects what the values of the root's moves at the depth that ended
// the search say of a greater one, where estimates touched them: after a certain
// loss all are lost, after a certain win the others may be won, too.
func (p *planner) unsettle(res *Result, maximize bool) {
	side, _, ok := p.w.extreme(res.Value)
	won := (side == maximum) == maximize
	for i := range res.Root {
		switch r := &res.Root[i]; {
		case !ok || r.Kind == Exact && r.Value == res.Value:
		case !won:
			r.Value, r.Kind = res.Value, Exact
		case p.cfg.Depth > p.looked:
			r.Value, r.Kind = res.Value, Upper
			if !maximize {
				r.Kind = Lower
			}
		}
	}
}

// certain tells whether the value v, of a search depth decisions deep, is a
// certain win or loss: the most or the least there is to get from here, seen at
// ends of the game alone. Estimates lie strictly inside, so that a value at a
// bound is proof enough, but where averages are rounded or estimates may stand at
// the bound ([walker.evaluate]).
func (p *planner) certain(v float64, depth int) bool {
	w := &p.w
	side, target, ok := w.extreme(v)
	if !ok {
		return false
	}
	if w.strict && !w.averages() {
		return true
	}
	before := w.nodes
	ok = p.prover(side, target).within(depth)
	p.aside += w.nodes - before
	w.nodes = before
	return ok
}

// prover asks whether side forces the target; it remembers what it was told.
func (p *planner) prover(side role, target float64) *forced {
	w := &p.w
	if p.proof == nil || p.proof.side != side || p.proof.target != target {
		p.proof = newForced(w, side, target, 0)
	}
	p.proof.budget, p.proof.spent = budgetOf(w.nodes), w.samples > 0
	return p.proof
}

// direct are those of the root's moves that win soonest or lose last, where a win
// or a loss is certain; else pool, the best ones. found are those that the search
// had found when it ended, which may have been before the depth that was asked for.
func (p *planner) direct(res *Result, maximize, counts bool, found, pool []game.Move) []game.Move {
	w := &p.w
	side, target, ok := w.extreme(res.Value)
	if !ok || !res.Exact || len(res.Root) < 2 || p.helping > 0 {
		return pool
	}
	w.meter.resume(w.nodes)
	f := p.prover(side, target)
	moves := make([]game.Move, len(res.Root))
	for i, r := range res.Root {
		moves[i] = r.Move
	}
	spend := 0
	if counts {
		spend = 1
	}
	if won := (side == maximum) == maximize; !won {
		return f.latest(moves, max(1, p.open), p.looked-1, spend)
	}
	// What is worth a win at the depth of the search itself the search has told,
	// but for what it saw beyond its last decision, or took for an average.
	to := p.looked - 1
	early := p.looked < p.cfg.Depth && w.guess > 0
	if w.noisy != nil || w.averages() || !w.strict || early && p.cfg.Ties == Random {
		to = p.looked
	}
	if first := f.soonest(moves, p.open+1, to, spend, p.cfg.Ties == First); len(first) > 0 {
		return first
	}
	if early {
		return found
	}
	return pool
}

// finish turns what w.me gets into what the mover and everybody gets.
func (p *planner) finish(res *Result, world game.Player) {
	w := &p.w
	if res.Elapsed == 0 {
		res.Nodes, res.Elapsed, res.Stats = w.nodes, time.Since(w.meter.started), w.stats
	}
	sum := total(w.shape)
	switch {
	case w.shape.Players == 1:
		res.Values = []float64{res.Value}
	case w.shape.Players == 2 && w.shape.Sum != game.General:
		res.Values = []float64{res.Value, sum - res.Value}
		if w.me == 1 {
			res.Values[0], res.Values[1] = res.Values[1], res.Values[0]
		}
	}
	if mover := max(0, world); mover != w.me {
		res.Value = sum - res.Value
		for i := range res.Root {
			r := &res.Root[i]
			r.Value = sum - r.Value
			if r.Kind != Exact {
				r.Kind = Lower + Upper - r.Kind
			}
		}
	}
}
