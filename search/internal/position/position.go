// Package position is what all searches share: a position bound once a search, and the rules that
// make their values agree.
//
//   - [Position] is played and undone in place; its nodes have the planner's roles.
//   - [nature] is who moves at chance nodes, and with which probabilities.
//   - [static] evaluates leaves, strictly inside what the game can come to ([game.Inside]).
//   - [Effort] counts nodes, and stops a search at its limits.
package position

import (
	"context"
	"fmt"
	"time"

	"plyfit/game"
	"plyfit/models"
	"plyfit/search/assume"
)

// Position is what a search needs of the game, bound once a search: moves are made and undone in
// place, nodes have the roles of the planner's assumption, leaves are evaluated within the game's
// bounds, and the cost is counted. Values are the utility of player Me, who is player 0 wherever
// one number serves both players.
type Position struct {
	State   game.State   // the planned position, played and undone in place
	moving  mover        // State, or State and its tracker
	Base    game.State   // State without wrappers
	Slip    *game.Slip   // State, where it is one
	Bounder game.Bounder // nil: none
	Shape   game.Shape
	Me      game.Player
	Turned  bool // Me is player 1 of two who share a fixed sum: evaluations are made for player 0

	Nature  nature
	Static  static
	tracked tracked
	Effort  Effort
	Moves   []game.Move // all lists of moves along the line, one after the other
}

// Bind sets p up for a search of the planned state s, in which nature is kind and
// values are those of player me. sh is the shape of the game.
func (p *Position) Bind(ctx context.Context, c *Options, s game.State, kind assume.Nature, me game.Player, sh game.Shape) {
	p.State, p.Base = s, game.Base(s)
	p.Slip, _ = s.(*game.Slip)
	p.Bounder, _ = game.As[game.Bounder](s)
	p.Shape, p.Me = sh, me
	p.Turned = me == 1 && sh.Players == 2 && sh.Sum != game.General
	p.Nature.Chancer, _ = game.As[game.Chancer](s)
	p.Nature.ponderer, _ = game.As[game.Ponderer](s)
	p.Nature.Kind, p.Nature.Samples = kind, c.Samples
	p.Nature.MinProb, p.Nature.Path = c.MinProb, 1
	p.Static.bind(p, c.Eval, c.Leaf == models.Afterstate)
	p.moving = s
	if p.Static.tracker != nil {
		p.tracked.pos, p.tracked.pushed = p, p.tracked.pushed[:0]
		p.moving = &p.tracked
	}
	p.Moves, p.Nature.Probs = p.Moves[:0], p.Nature.Probs[:0]
	p.Effort.start(ctx, c.Time, c.Nodes)
}

type mover interface {
	Play(m game.Move)
	Undo()
}

// Play moves the position, and its tracker if there is one.
func (p *Position) Play(m game.Move) { p.moving.Play(m) }

// Tracked reports whether the evaluation is kept along the line of play.
func (p *Position) Tracked() bool { return p.Static.tracker != nil }

// Undo takes the last Play back.
func (p *Position) Undo() { p.moving.Undo() }

// Utility is the value of a finished position.
func (p *Position) Utility() float64 { return p.State.Utility(p.Me) }

// Bounds enclose the value of the present position.
func (p *Position) Bounds() (lo, hi float64) {
	lo, hi = p.Shape.Min, p.Shape.Max
	if p.Bounder != nil {
		l, h := p.Bounder.Bounds(p.Me)
		if l > lo {
			lo = l
		}
		if h < hi {
			hi = h
		}
	}
	return lo, hi
}

// Extreme reports whether v, the value of the present position, is the most or the least that Me
// can get from here, within the rounding of averages, and who would have to force it. In games of
// points, and where nothing is left to win or lose, ok is false.
func (p *Position) Extreme(v float64) (side Role, target float64, ok bool) {
	lo, hi := p.Bounds()
	return p.extreme(v, lo, hi)
}

func (p *Position) extreme(v, lo, hi float64) (side Role, target float64, ok bool) {
	near := 0.0
	if p.Averages() {
		near = Rounding(v)
	}
	switch {
	case p.Static.Points || !(lo < hi):
		return Over, 0, false
	case v >= hi-near && v < inf:
		return Maximum, hi, true
	case v <= lo+near && v > -inf:
		return Minimum, lo, true
	}
	return Over, 0, false
}

// Role is what a node is to the search.
type Role int8

const (
	Over    Role = iota // a finished game
	Leaf                // to be evaluated
	Maximum             // a decision of Me, or of nature in my favour
	Minimum             // a decision against Me
	Average             // a chance node, or a decision that follows a policy
)

// Role is that of the present node, where it is turn's move depth decisions
// before the horizon; counts reports whether its moves count in the depth.
func (p *Position) Role(turn game.Player, depth int) (r Role, counts bool) {
	switch {
	case turn < 0:
		return p.chanceRole(turn, depth), false
	case depth == 0:
		return Leaf, false
	case turn == p.Me:
		return Maximum, true
	case p.Nature.Others:
		return Average, true
	}
	return Minimum, true
}

// Decides reports whether turn's move is a decision for the best or the worst: no
// chance node's, and no one's who follows a policy.
func (p *Position) Decides(turn game.Player) bool {
	return turn == p.Me || turn >= 0 && !p.Nature.Others
}

// chanceRole is the role of a node at which no player is to move.
func (p *Position) chanceRole(turn game.Player, depth int) Role {
	switch {
	case turn == game.Nobody:
		return Over
	case depth == 0 && p.Static.Afterstate && (p.Slip == nil || p.Base.Turn() == game.Chance):
		return Leaf
	case p.Nature.Kind != assume.NatureOpposes:
		return Average
	case p.Nature.Chancer.For() == p.Me:
		return Minimum
	}
	return Maximum
}

// View is whose gain a number is: the maximizer's, the utility of Position.Me, or the minimizer's,
// its negation. In the mover's view every decision maximizes (negamax; Knuth and Moore, An analysis
// of alpha-beta pruning, 1975).
type View bool

const (
	OfMax View = false
	OfMin View = true
)

// View is that of the chooser at a node of this role, else the maximizer's.
func (r Role) View() View { return r == Minimum }

// Chooser is the view of the player turn, who is to move.
func (p *Position) Chooser(turn game.Player) View { return turn != p.Me }

// Of is the maximizer's number x in view v, and the other way round.
func (v View) Of(x float64) float64 {
	if v == OfMin {
		return -x
	}
	return x
}

// Side is an index: 0 for the maximizer.
func (v View) Side() int {
	if v == OfMin {
		return 1
	}
	return 0
}

// Window is the maximizer's window between lo and hi in view v, and the other way round.
func (v View) Window(lo, hi float64) (alpha, beta float64) {
	if v == OfMin {
		return -hi, -lo
	}
	return lo, hi
}

// Total is what the utilities of two players of a fixed sum add up to.
func Total(sh game.Shape) float64 {
	if sh.Sum == game.Constant {
		return sh.Min + sh.Max
	}
	return 0
}

// Options are what every search knows of its positions: of an agent's options
// those that all kinds of agents have, and what chance nodes are cut by.
type Options struct {
	Game   *game.Game
	Eval   evaluator
	Nodes  int64         // after which the search stops; 0: no limit
	Time   time.Duration // after which it stops; 0: no limit
	Leaf   models.Leaves // the positions that Eval is made for; "" is models.Decision
	Assume assume.Assumption

	MinProb float64 // chance nodes less probable than this are evaluated at once; 0: none
	Samples int     // of nature's moves at a chance node; 0: all
}

// Validate checks options for an agent of the kind named agent, for any position.
func (o *Options) Validate(agent string) error {
	switch {
	case o.Game == nil:
		return fmt.Errorf("%s: no game", agent)
	case o.Eval == nil:
		return fmt.Errorf("%s: no evaluation", agent)
	case o.Leaf != "" && o.Leaf != models.Decision && o.Leaf != models.Afterstate:
		return fmt.Errorf("%s: leaf=%s: want decision or afterstate", agent, o.Leaf)
	case !(o.MinProb >= 0 && o.MinProb < 1):
		return fmt.Errorf("%s: a smallest probability of %v: want at least 0 and below 1", agent, o.MinProb)
	case o.Samples < 0:
		return fmt.Errorf("%s: %d samples: want a positive number", agent, o.Samples)
	case o.Assume.Kind == assume.Policy && o.Assume.Policy == nil:
		return fmt.Errorf("%s: no policy to assume", agent)
	case o.Nodes < 0:
		return fmt.Errorf("%s: nodes=%d: want a positive number", agent, o.Nodes)
	case o.Time < 0:
		return fmt.Errorf("%s: time=%v: want a positive time", agent, o.Time)
	}
	return game.RefuseHidden(agent, o.Game)
}
