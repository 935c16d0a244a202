package search

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"plyfit/game"
)

// players is a position with a value for each of any number of players, as max^n
// and Monte Carlo tree search want it. Between its calls pos.me is player 0.
type players struct {
	pos      *position
	policies policyCache
	count    int
	mover    game.Player // who decides at the root, in the world: nature's opponent too
	mirror   bool        // two players and a sum of zero: one's value tells the other's
	open     int         // decisions within which the root was found to be no certain win or loss
	depth    int         // of the present iteration
}

// begin forgets what was remembered for another seed.
func (p *players) begin(c *config, seed uint64) {
	p.policies = newPolicyCache(c.Assume.Policy)
	p.pos.nature.seed = game.Mix(seed)
}

// bind takes up the state s; what it returns is to be called when the search is
// over.
func (p *players) bind(ctx context.Context, c *config, s game.State) (restore func()) {
	sh := game.ShapeOf(c.Game, s)
	adversary, hostile := game.As[*game.Adversary](s)
	solo := sh.Players == 1 || hostile && adversary.Solo()
	if hostile && sh.Players == 1 {
		// The agent was made for the game of one and is shown its hostile world.
		most := math.Max(math.Abs(sh.Min), math.Abs(sh.Max))
		sh = game.Shape{Players: 2, Sum: game.Zero, Min: -most, Max: most}
	}
	p.mover = s.Turn()
	planned, nature, restore := c.Assume.plan(s, AssumeChance)
	p.pos.nature.policy, p.pos.nature.others = nil, false
	if c.Assume.Kind == AssumePolicy {
		p.pos.nature.policy = &p.policies
		if !solo {
			nature, p.pos.nature.others = natureAverages, true
		}
	}
	p.pos.bind(ctx, c, planned, nature, 0, sh)
	p.count = sh.Players
	p.mirror = sh.Players == 2 && sh.Sum == game.Zero
	p.open = 0
	return restore
}

// planner is the player who plans: the mover, player 0 where there is none.
func (p *players) planner() game.Player { return max(p.mover, 0) }

// follows reports whether who is to move, turn, follows the policy.
func (p *players) follows(turn game.Player) bool {
	return p.pos.nature.others && turn >= 0 && turn != p.planner()
}

// leaf reports whether the present position, which is not over, is to be evaluated
// depth decisions before the horizon.
func (p *players) leaf(turn game.Player, depth int) bool {
	return depth <= 0 && (turn >= 0 || p.pos.static.afterstate && p.pos.base.Turn() == game.Chance)
}

// utilities writes what every player gets at a finished position.
func (p *players) utilities(v []float64) {
	v[0] = p.pos.state.Utility(0)
	if p.mirror {
		v[1] = 0 - v[0] // not -v[0]: a draw is 0, never -0
		return
	}
	for q := 1; q < len(v); q++ {
		v[q] = p.pos.state.Utility(game.Player(q))
	}
}

// evaluate writes what the evaluation expects for every player.
func (p *players) evaluate(v []float64) {
	v[0] = p.pos.evaluate()
	if p.mirror {
		v[1] = 0 - v[0]
		return
	}
	for q := 1; q < len(v); q++ {
		p.pos.me = game.Player(q)
		v[q] = p.pos.evaluate()
	}
	p.pos.me = 0
}

// bounds enclose the utility of q from here on.
func (p *players) bounds(q game.Player) (lo, hi float64) {
	if p.mirror && q == 1 {
		lo, hi = p.pos.bounds()
		return -hi, -lo
	}
	p.pos.me = q
	lo, hi = p.pos.bounds()
	p.pos.me = 0
	return lo, hi
}

// opposed is what nature's opponent of For makes of values: in games of two what
// the other player gets, else the opposite of what For gets.
func (p *players) opposed(values []float64) float64 {
	q := p.pos.nature.chancer.For()
	if p.count == 2 {
		return values[1-q]
	}
	return -values[q]
}

// unsearched is the answer when there was no time to search: the first move, and
// the static value of the root.
func (p *players) unsearched() Result {
	r := Result{Move: game.NoMove, Values: make([]float64, p.count)}
	if p.pos.state.Turn() == game.Nobody {
		p.utilities(r.Values)
		r.Exact = true
	} else {
		p.evaluate(r.Values)
	}
	r.Value = r.Values[p.planner()]
	if p.mover >= 0 {
		r.Move = p.pos.state.Moves(nil)[0]
	}
	return r
}

// iterate asks for answers of growing depth until c's limits stop it, or for the
// one of c.Depth where nothing else limits the search. Where there was no time for
// any the answer is unsearched's; where it was the context that left no time, its
// error is returned.
func (p *players) iterate(c *config, answer func(depth int) Result) (Result, error) {
	first, last := c.Depth, c.Depth
	if last == 0 {
		last = deepest
	}
	if c.Nodes > 0 || c.Time > 0 {
		first = 1
	}
	var best Result
	found := false
	e := &p.pos.effort
	deepen(first, last, 1, func(depth int) (final, done bool) {
		r := answer(depth)
		switch {
		case !e.meter.stopped:
			best, found = r, true
		case !found && len(r.Root) > 0: // half an iteration is only better than none
			best, found = r, true
			best.Depth = 0
		}
		return r.Exact, !e.meter.stopped
	})
	if !found {
		if err := e.meter.ctx.Err(); err != nil {
			return Result{Move: game.NoMove}, err
		}
		best = p.unsearched()
	}
	best.Nodes, best.Elapsed, best.Stats = e.nodes, time.Since(e.meter.started), e.stats
	return best, nil
}

// conclude fills in what the iteration cost and how certain it is; estimates is how
// many there were before it.
func (p *players) conclude(r *Result, estimates int64) {
	e := &p.pos.effort
	r.Nodes, r.Elapsed, r.Stats = e.nodes, time.Since(e.meter.started), e.stats
	if r.Exact = e.estimates == estimates && !e.meter.stopped; r.Exact {
		r.Depth = p.depth - e.least // the game ended everywhere before the horizon
	}
}

// direct are those of the root's moves after which the one who moves there wins
// soonest or loses last, where his win or loss is certain against whatever all
// others do; none elsewhere. What it takes goes into r.BestNodes.
func (p *players) direct(r *Result) []game.Move {
	pos := p.pos
	won, target, ok := p.extreme(r.Value)
	if !ok || pos.effort.meter.stopped {
		p.open = p.depth
		return nil
	}
	before, meter := pos.effort.nodes, pos.effort.meter
	pos.effort.meter.resume(before)
	defer func() {
		r.BestNodes += pos.effort.nodes - before
		pos.effort.nodes, pos.effort.meter, pos.me = before, meter, 0
	}()
	f := p.prover(won, target)
	moves := make([]game.Move, len(r.Root))
	for i, m := range r.Root {
		moves[i] = m.Move
	}
	spend := 0
	if pos.state.Turn() >= 0 {
		spend = 1
	}
	// One number tells a certain result, and it is known exactly.
	plain := (p.mirror || p.count == 1) && !pos.averages() && pos.static.strict
	if won {
		found := f.soonest(moves, p.open+1, p.depth, spend, false)
		r.Exact = r.Exact || plain || len(found) > 0 && p.count <= 2
		return found
	}
	if !plain && !r.Exact && !(f.within(p.depth) && p.count <= 2) {
		return nil
	}
	r.Exact = true
	return f.latest(moves, max(1, p.open), p.depth-1, spend)
}

// extreme reports whether v is the most that the planner can get at the root, won,
// or the least; ok is false where it is neither, or tells nothing.
func (p *players) extreme(v float64) (won bool, target float64, ok bool) {
	lo, hi := p.bounds(p.planner())
	near := 0.0
	if p.pos.averages() {
		near = rounding(v)
	}
	switch {
	case p.pos.static.points || !(lo < hi) || math.IsInf(v, 0):
		return false, 0, false
	case v <= lo+near:
		return false, lo, true
	}
	return true, hi, v >= hi-near
}

// prover asks whether the planner forces target, or where he has not won the others
// do. Player 0 tells what both get, unless others follow a policy: then it is the
// planner's moves that are no averages.
func (p *players) prover(won bool, target float64) *forced {
	pos, self := p.pos, p.planner()
	side := maximum
	if !won {
		side = minimum
	}
	if pos.me = self; p.mirror && !pos.nature.others && self == 1 {
		pos.me, side, target = 0, maximum+minimum-side, 0-target
	}
	return newForced(pos, side, target, budgetOf(pos.effort.nodes))
}

// prefer is the root move to play: the best, or of certain wins and losses the
// shortest or the longest, one of several by ties.
func (p *players) prefer(r *Result, ties Ties, rng *rand.Rand) int {
	return choose(r.Root, r.Value, p.direct(r), ties, rng)
}
