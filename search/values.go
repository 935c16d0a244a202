package search

import (
	"context"
	"math"

	"plyfit/game"
)

// maxnTree walks a tree in which every node has a value per player. Its
// buffers stay from search to search.
type maxnTree struct {
	walker
	policies policyCache

	mover   game.Player // who decides at the root, in the world: nature's opponent too
	players int
	mirror  bool // two players and a sum of zero: one's value tells the other's

	rivals bool    // prune by what rivals can still get
	sum    float64 // what all players' values add up to
	known  bool    // whether sum is known
	learns bool    // whether the first end of a game will tell it

	looked int // decisions before the horizon of the present loop
	unsure int // decisions within which the root was seen to be no certain win or loss

	levels []maxnLevel
	rooted []float64 // the values of each root move, player by player
}

// maxnLevel is what belongs to one ply of the line at hand.
type maxnLevel struct {
	value []float64 // of the node at this ply, per player
	pv    []game.Move
}

// begin forgets what was remembered for another seed.
func (t *maxnTree) begin(c *Config, seed uint64) {
	t.policies = policyCache{policy: c.Assume.Policy, known: map[uint64][]float64{}}
	t.seed = game.Mix(seed)
}

// open looks at s; what it returns is to be called when the search is over.
func (t *maxnTree) open(ctx context.Context, c *Config, s game.State) (restore func()) {
	sh := game.ShapeOf(c.Game, s)
	adversary, hostile := game.As[*game.Adversary](s)
	solo := sh.Players == 1 || hostile && adversary.Solo()
	if hostile && sh.Players == 1 {
		// The agent was made for the game of one and is shown its hostile world.
		most := math.Max(math.Abs(sh.Min), math.Abs(sh.Max))
		sh = game.Shape{Players: 2, Sum: game.Zero, Min: -most, Max: most}
	}
	t.mover = s.Turn()
	planned, nature, restore := c.Assume.plan(s, AssumeChance)
	t.policy, t.others = nil, false
	if c.Assume.Kind == AssumePolicy {
		t.policy = &t.policies
		if !solo {
			nature, t.others = natureAverages, true
		}
	}
	t.prepare(ctx, c, planned, nature, 0, sh)
	t.players = sh.Players
	t.mirror = sh.Players == 2 && sh.Sum == game.Zero
	t.rivals = c.Prune != NoPrune
	t.known, t.learns = false, false
	t.unsure = 0
	if len(t.levels) > 0 && len(t.levels[0].value) != t.players {
		t.levels = t.levels[:0]
	}
	t.level(0)
	return restore
}

// hero is the one who plans: the mover, player 0 where there is none.
func (t *maxnTree) hero() game.Player { return max(t.mover, 0) }

// follows tells whether who is to move, turn, follows the policy.
func (t *maxnTree) follows(turn game.Player) bool {
	return t.others && turn >= 0 && turn != t.hero()
}

// utilities writes what every player gets at a finished position.
func (t *maxnTree) utilities(v []float64) {
	v[0] = t.state.Utility(0)
	if t.mirror {
		v[1] = 0 - v[0] // not -v[0]: a draw is 0, never -0
		return
	}
	for p := 1; p < len(v); p++ {
		v[p] = t.state.Utility(game.Player(p))
	}
}

// evaluate writes what the evaluation expects for every player.
func (t *maxnTree) evaluate(v []float64) {
	v[0] = t.walker.evaluate()
	if t.mirror {
		v[1] = 0 - v[0]
		return
	}
	for p := 1; p < len(v); p++ {
		t.me = game.Player(p)
		v[p] = t.walker.evaluate()
	}
	t.me = 0
}

// boundsOf enclose the utility of p from here on.
func (t *maxnTree) boundsOf(p game.Player) (lo, hi float64) {
	if t.mirror && p == 1 {
		lo, hi = t.walker.bounds()
		return -hi, -lo
	}
	t.me = p
	lo, hi = t.walker.bounds()
	t.me = 0
	return lo, hi
}

// natureWorth is what nature's opponent of For makes of values: in games of
// two what the other player gets, else the opposite of what For gets.
func (t *maxnTree) natureWorth(values []float64) float64 {
	p := t.chancer.For()
	if t.players == 2 {
		return values[1-p]
	}
	return -values[p]
}

// level makes room for a ply.
func (t *maxnTree) level(ply int) {
	for len(t.levels) <= ply {
		t.levels = append(t.levels, maxnLevel{value: make([]float64, t.players)})
	}
}

// guesswork is the answer when there was no time to search: the first move, and
// the static value of the root.
func (t *maxnTree) guesswork() Result {
	r := Result{Move: game.NoMove, Values: make([]float64, t.players)}
	if t.state.Turn() == game.Nobody {
		t.utilities(r.Values)
		r.Exact = true
	} else {
		t.evaluate(r.Values)
	}
	r.Value = r.Values[t.hero()]
	if t.mover >= 0 {
		r.Move = t.state.Moves(nil)[0]
	}
	return r
}

// tell tells the observer of the node at hand.
func (t *maxnTree) tell(depth int, value float64, kind Bound) {
	if t.observer != nil {
		t.observer.Node(t.state, depth, value, kind)
	}
}

// tellCut tells the observer of a node that was left early, where p gets at
// most bound: in player 0's view.
func (t *maxnTree) tellCut(depth int, p game.Player, bound float64) {
	switch {
	case t.observer == nil:
	case p == 0:
		t.tell(depth, bound, Upper)
	case t.mirror:
		t.tell(depth, 0-bound, Lower)
	default:
		_, hi := t.boundsOf(0)
		t.tell(depth, hi, Upper)
	}
}
