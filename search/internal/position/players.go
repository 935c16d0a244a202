package position

import (
	"context"
	"math"

	"plyfit/game"
	"plyfit/search/assume"
)

// Players extends a position to any number of players, each of whom has a value, as required by
// max^n and Monte Carlo tree search. Between calls to its methods, Pos.Me is 0.
type Players struct {
	Pos      *Position
	policies PolicyCache
	Count    int
	Mover    game.Player // player who decides at the root in the world; may be an adversary who chooses nature's moves
	Mirror   bool        // two-player zero-sum game, in which one value determines the other
	open     int         // a certain win or loss within this number of decisions has been ruled out at the root
	Depth    int         // depth of the current iteration
}

// Begin starts an episode with a new seed and discards the stored policies.
func (p *Players) Begin(c *Options, seed uint64) {
	p.policies = NewPolicyCache(c.Assume.Policy)
	p.Pos.Nature.Seed = game.Mix(seed)
}

// Bind binds p to the state s. The caller must call restore after the search.
func (p *Players) Bind(ctx context.Context, c *Options, s game.State) (restore func()) {
	sh := game.ShapeOf(c.Game, s)
	adversary, hostile := game.As[*game.Adversary](s)
	solo := sh.Players == 1 || hostile && adversary.Solo()
	if hostile && sh.Players == 1 {
		// The agent was created for a single-player game but is playing in the game's adversarial
		// world.
		most := math.Max(math.Abs(sh.Min), math.Abs(sh.Max))
		sh = game.Shape{Players: 2, Sum: game.Zero, Min: -most, Max: most}
	}
	p.Mover = s.Turn()
	planned, nature, restore := c.Assume.Plan(s, assume.Chance)
	p.Pos.Nature.Policy, p.Pos.Nature.Others = nil, false
	if c.Assume.Kind == assume.Policy {
		p.Pos.Nature.Policy = &p.policies
		if !solo {
			nature, p.Pos.Nature.Others = assume.NatureAverages, true
		}
	}
	p.Pos.Bind(ctx, c, planned, nature, 0, sh)
	p.Count = sh.Players
	p.Mirror = sh.Players == 2 && sh.Sum == game.Zero
	p.open = 0
	return restore
}

// Planner returns the player who plans: the mover, or player 0 if there is no mover.
func (p *Players) Planner() game.Player { return max(p.Mover, 0) }

// Follows reports whether the player to move (turn) follows the policy.
func (p *Players) Follows(turn game.Player) bool {
	return p.Pos.Nature.Others && turn >= 0 && turn != p.Planner()
}

// Leaf reports whether the current position, which must be unfinished, is evaluated at the given
// depth.
func (p *Players) Leaf(turn game.Player, depth int) bool {
	return depth <= 0 && (turn >= 0 || p.Pos.Static.Afterstate && p.Pos.Base.Turn() == game.Chance)
}

// Utilities writes each player's utility at a finished position to v.
func (p *Players) Utilities(v []float64) {
	v[0] = p.Pos.State.Utility(0)
	if p.Mirror {
		v[1] = 0 - v[0] // not -v[0], so that a draw is 0 and never -0
		return
	}
	for q := 1; q < len(v); q++ {
		v[q] = p.Pos.State.Utility(game.Player(q))
	}
}

// Evaluate writes the static evaluation for each player to v.
func (p *Players) Evaluate(v []float64) {
	v[0] = p.Pos.Evaluate()
	if p.Mirror {
		v[1] = 0 - v[0]
		return
	}
	for q := 1; q < len(v); q++ {
		p.Pos.Me = game.Player(q)
		v[q] = p.Pos.Evaluate()
	}
	p.Pos.Me = 0
}

// Bounds returns bounds on the utility that player q can get from the current position.
func (p *Players) Bounds(q game.Player) (lo, hi float64) {
	if p.Mirror && q == 1 {
		lo, hi = p.Pos.Bounds()
		return -hi, -lo
	}
	p.Pos.Me = q
	lo, hi = p.Pos.Bounds()
	p.Pos.Me = 0
	return lo, hi
}

// Opposed returns the value that is maximised by an opponent of the player Chancer.For. In
// two-player games this is the opponent's own value, otherwise the negated value of Chancer.For.
func (p *Players) Opposed(values []float64) float64 {
	q := p.Pos.Nature.Chancer.For()
	if p.Count == 2 {
		return values[1-q]
	}
	return -values[q]
}

// Unsearched returns what is known about the root without a search: its first move, its utilities
// or static evaluations, and whether the game is over.
func (p *Players) Unsearched() (m game.Move, values []float64, over bool) {
	m, values = game.NoMove, make([]float64, p.Count)
	if over = p.Pos.State.Turn() == game.Nobody; over {
		p.Utilities(values)
	} else {
		p.Evaluate(values)
	}
	if p.Mover >= 0 {
		m = p.Pos.State.Moves(nil)[0]
	}
	return m, values, over
}

// If the root's value is a certain win or loss against all others, Direct returns the root moves
// with which the side to move wins soonest or loses last. Otherwise the result found is nil. The
// parameter known reports whether the value is already proved. The result exact reports whether it
// is proved now, and nodes is the number of nodes visited.
func (p *Players) Direct(value float64, moves []game.Move, known bool) (found []game.Move, exact bool, nodes int64) {
	pos := p.Pos
	lo, hi := p.Bounds(p.Planner())
	side, target, ok := pos.extreme(value, lo, hi)
	if !ok || pos.Effort.Stopped() {
		p.open = p.Depth
		return nil, known, 0
	}
	back := pos.Effort.Nested()
	defer func() { nodes, pos.Me = back(), 0 }()
	won := side == Maximum
	f := p.prover(side, target)
	spend := 0
	if pos.State.Turn() >= 0 {
		spend = 1
	}
	// The value counts as proven if it is exact and described by a single number.
	plain := (p.Mirror || p.Count == 1) && !pos.Averages() && pos.Static.Strict
	if won {
		found = f.Soonest(moves, p.open+1, p.Depth, spend, false)
		return found, known || plain || len(found) > 0 && p.Count <= 2, 0
	}
	if !plain && !known && !(f.Within(p.Depth) && p.Count <= 2) {
		return nil, known, 0
	}
	return f.Latest(moves, max(1, p.open), p.Depth-1, spend), true, 0
}

// prover returns a proof search that tests whether a side can force the planner's utility target.
// The side is the planner (Maximum) or all others together (Minimum). In two-player zero-sum games
// the search uses player 0's utility instead, unless the other player follows a policy.
func (p *Players) prover(side Role, target float64) *Forced {
	pos, self := p.Pos, p.Planner()
	if pos.Me = self; p.Mirror && !pos.Nature.Others && self == 1 {
		pos.Me, side, target = 0, Maximum+Minimum-side, 0-target
	}
	return NewForced(pos, side, target)
}
