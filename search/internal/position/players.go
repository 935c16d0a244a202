package position

import (
	"context"
	"math"

	"plyfit/game"
	"plyfit/search/assume"
)

// Players is a position with a value for each of any number of players, as max^n
// and Monte Carlo tree search want it. Between its calls Pos.Me is player 0.
type Players struct {
	Pos      *Position
	policies PolicyCache
	Count    int
	Mover    game.Player // who decides at the root, in the world: nature's opponent too
	Mirror   bool        // two players and a sum of zero: one's value tells the other's
	open     int         // decisions within which the root was found to be no certain win or loss
	Depth    int         // of the present iteration
}

// Begin forgets what was remembered for another seed.
func (p *Players) Begin(c *Options, seed uint64) {
	p.policies = NewPolicyCache(c.Assume.Policy)
	p.Pos.Nature.Seed = game.Mix(seed)
}

// Bind takes up the state s; call the returned function when the search is over.
func (p *Players) Bind(ctx context.Context, c *Options, s game.State) (restore func()) {
	sh := game.ShapeOf(c.Game, s)
	adversary, hostile := game.As[*game.Adversary](s)
	solo := sh.Players == 1 || hostile && adversary.Solo()
	if hostile && sh.Players == 1 {
		// The agent was made for the game of one and is shown its hostile world.
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

// Planner is the player who plans: the mover, player 0 where there is none.
func (p *Players) Planner() game.Player { return max(p.Mover, 0) }

// Follows reports whether who is to move, turn, follows the policy.
func (p *Players) Follows(turn game.Player) bool {
	return p.Pos.Nature.Others && turn >= 0 && turn != p.Planner()
}

// Leaf reports whether the unfinished present position is evaluated at this depth.
func (p *Players) Leaf(turn game.Player, depth int) bool {
	return depth <= 0 && (turn >= 0 || p.Pos.Static.Afterstate && p.Pos.Base.Turn() == game.Chance)
}

// Utilities writes what every player gets at a finished position.
func (p *Players) Utilities(v []float64) {
	v[0] = p.Pos.State.Utility(0)
	if p.Mirror {
		v[1] = 0 - v[0] // not -v[0]: a draw is 0, never -0
		return
	}
	for q := 1; q < len(v); q++ {
		v[q] = p.Pos.State.Utility(game.Player(q))
	}
}

// Evaluate writes what the evaluation expects for every player.
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

// Bounds enclose the utility of q from here on.
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

// Opposed is what nature's opponent of For makes of values: in games of two what
// the other player gets, else the opposite of what For gets.
func (p *Players) Opposed(values []float64) float64 {
	q := p.Pos.Nature.Chancer.For()
	if p.Count == 2 {
		return values[1-q]
	}
	return -values[q]
}

// Unsearched is what is known of the root without a search: its first move, its values for every
// player by its end or else by the evaluation, and whether it is over.
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

// Direct are the root's moves after which the side to move there wins soonest or loses last, if the
// root's value is a certain win or loss against all others; else none. exact reports a proof, which
// the value may have been before; nodes is the cost of finding out.
func (p *Players) Direct(value float64, moves []game.Move, known bool) (found []game.Move, exact bool, nodes int64) {
	pos := p.Pos
	lo, hi := p.Bounds(p.Planner())
	side, target, ok := pos.extreme(value, lo, hi)
	if !ok || pos.Effort.Stopped() {
		p.open = p.Depth
		return nil, known, 0
	}
	back := pos.Effort.Aside()
	defer func() { nodes, pos.Me = back(), 0 }()
	won := side == Maximum
	f := p.prover(side, target)
	spend := 0
	if pos.State.Turn() >= 0 {
		spend = 1
	}
	// One number tells a certain result, and it is known exactly.
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

// prover asks whether the planner, or else the others, force target. Player 0's value serves both,
// unless others follow a policy: then averages are not the planner's.
func (p *Players) prover(side Role, target float64) *Forced {
	pos, self := p.Pos, p.Planner()
	if pos.Me = self; p.Mirror && !pos.Nature.Others && self == 1 {
		pos.Me, side, target = 0, Maximum+Minimum-side, 0-target
	}
	return NewForced(pos, side, target)
}
