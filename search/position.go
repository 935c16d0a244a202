package search

import (
	"context"

	"plyfit/game"
	"plyfit/models"
)

// position is what a search needs of the game at hand, bound once a search: moves
// are made and taken back in place, nodes have the roles that the planner's
// assumption gives them, leaves are evaluated within the bounds of the game, and
// what all of that costs is counted. Values are the utility of player me, who is
// player 0 wherever one number tells both players' values.
type position struct {
	state   game.State   // the planned position, played and undone in place
	moving  mover        // state, or state and its tracker
	base    game.State   // the same without wrappers
	slip    *game.Slip   // state, where it is one
	bounder game.Bounder // nil: none
	shape   game.Shape
	me      game.Player
	turned  bool // me is player 1 of two who share a fixed sum: evaluations are made for player 0

	nature  nature
	static  static
	tracked tracked
	effort  effort
	moves   []game.Move // all lists of moves along the line, one after the other
}

// bind sets p up for a search of the planned state s, in which nature is kind.
func (p *position) bind(ctx context.Context, c *config, s game.State, kind natureKind, me game.Player, sh game.Shape) {
	p.state, p.base = s, game.Base(s)
	p.slip, _ = s.(*game.Slip)
	p.bounder, _ = game.As[game.Bounder](s)
	p.shape, p.me = sh, me
	p.turned = me == 1 && sh.Players == 2 && sh.Sum != game.General
	p.nature.chancer, _ = game.As[game.Chancer](s)
	p.nature.kind, p.nature.samples = kind, c.Samples
	p.nature.minProb, p.nature.path = c.MinProb, 1
	p.static.bind(p, c.Eval, c.Leaf == models.Afterstate)
	p.moving = s
	if p.static.tracker != nil {
		p.tracked.pos, p.tracked.pushed = p, p.tracked.pushed[:0]
		p.moving = &p.tracked
	}
	p.moves, p.nature.probs = p.moves[:0], p.nature.probs[:0]
	p.effort.start(ctx, c.Time, c.Nodes)
}

// mover makes moves and takes them back.
type mover interface {
	Play(m game.Move)
	Undo()
}

// play and undo move the position, and its tracker if there is one.
func (p *position) play(m game.Move) { p.moving.Play(m) }
func (p *position) undo()            { p.moving.Undo() }

// utility is the value of a finished position.
func (p *position) utility() float64 { return p.state.Utility(p.me) }

// bounds enclose the value of the present position.
func (p *position) bounds() (lo, hi float64) {
	lo, hi = p.shape.Min, p.shape.Max
	if p.bounder != nil {
		l, h := p.bounder.Bounds(p.me)
		if l > lo {
			lo = l
		}
		if h < hi {
			hi = h
		}
	}
	return lo, hi
}

// extreme reports whether v, the value of the present position, is the most or
// the least that me can get from here, as exactly as averages are known, and who
// would have to force that. In games of points, and where nothing is left to win
// or lose, ok is false.
func (p *position) extreme(v float64) (side role, target float64, ok bool) {
	lo, hi := p.bounds()
	near := 0.0
	if p.averages() {
		near = rounding(v)
	}
	switch {
	case p.static.points || !(lo < hi):
		return over, 0, false
	case v >= hi-near && v < inf:
		return maximum, hi, true
	case v <= lo+near && v > -inf:
		return minimum, lo, true
	}
	return over, 0, false
}

// role is what a node is to the search.
type role int8

const (
	over    role = iota // a finished game
	leaf                // to be evaluated
	maximum             // a decision of me, or of nature in my favour
	minimum             // a decision against me
	average             // a chance node, or a decision that follows a policy
)

// role is that of the present node, where it is turn's move depth decisions
// before the horizon; counts reports whether its moves count in the depth.
func (p *position) role(turn game.Player, depth int) (r role, counts bool) {
	switch {
	case turn < 0:
		return p.chanceRole(turn, depth), false
	case depth == 0:
		return leaf, false
	case turn == p.me:
		return maximum, true
	case p.nature.others:
		return average, true
	}
	return minimum, true
}

// chanceRole is the role of a node at which no player is to move.
func (p *position) chanceRole(turn game.Player, depth int) role {
	switch {
	case turn == game.Nobody:
		return over
	case depth == 0 && p.static.afterstate && (p.slip == nil || p.base.Turn() == game.Chance):
		return leaf
	case p.nature.kind != natureOpposes:
		return average
	case p.nature.chancer.For() == p.me:
		return minimum
	}
	return maximum
}

// view is whose gain a number tells: the maximizer's, which is the utility of
// position.me, or the minimizer's, its negation. In the mover's view every
// decision is one for the largest number (negamax; Knuth and Moore, An analysis
// of alpha-beta pruning, 1975).
type view bool

const (
	ofMax view = false
	ofMin view = true
)

// view is that of the one who chooses at a node of this role. All others are in
// the maximizer's.
func (r role) view() view { return r == minimum }

// chooser is the view of the player turn, who is to move.
func (p *position) chooser(turn game.Player) view { return turn != p.me }

// of is the maximizer's number x in view v, and the other way round.
func (v view) of(x float64) float64 {
	if v == ofMin {
		return -x
	}
	return x
}

// side is an index: 0 for the maximizer.
func (v view) side() int {
	if v == ofMin {
		return 1
	}
	return 0
}

// window is the window between lo and hi of the maximizer's numbers in view v, and
// the other way round.
func (v view) window(lo, hi float64) (alpha, beta float64) {
	if v == ofMin {
		return -hi, -lo
	}
	return lo, hi
}

// total is what the utilities of two players of a fixed sum add up to.
func total(sh game.Shape) float64 {
	if sh.Sum == game.Constant {
		return sh.Min + sh.Max
	}
	return 0
}
