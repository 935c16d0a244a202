// Package position contains the code that all searches share: a position that is bound once per
// search, and the rules that ensure that different searches return the same values.
//
//   - [Position] is modified in place. Its nodes have roles according to the planner's assumption.
//   - [nature] determines who moves at chance nodes, and with what probabilities.
//   - [static] evaluates leaves strictly inside the bounds of the position ([game.Inside]).
//   - [Effort] counts nodes and stops a search at its limits.
package position

import (
	"context"
	"fmt"
	"time"

	"plyfit/game"
	"plyfit/models"
	"plyfit/search/assume"
)

// Position represents the game to a search and is bound once per search. Moves are made and undone
// in place. Nodes have roles according to the planner's assumption. Leaves are evaluated within the
// game's bounds, and the work is counted. Values are utilities of player Me, which is player 0
// wherever one number serves both players.
type Position struct {
	State   game.State   // planned position, modified in place
	moving  mover        // State, or State together with its tracker
	Base    game.State   // State without wrappers
	Slip    *game.Slip   // State if it is a Slip, otherwise nil
	Bounder game.Bounder // nil if there is none
	Shape   game.Shape
	Me      game.Player
	Turned  bool // Me is player 1 of two players whose utilities have a fixed sum; evaluations are made for player 0

	Nature  nature
	Static  static
	tracked tracked
	Effort  Effort
	Moves   []game.Move // moves of all nodes along the current line, in order
}

// Bind prepares p for a search of the planned state s. kind is the model of nature, values refer to
// player me, and sh is the shape of the game.
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

// Play plays the move m and updates the tracker, if there is one.
func (p *Position) Play(m game.Move) { p.moving.Play(m) }

// Tracked reports whether the evaluation is updated incrementally along the line of play.
func (p *Position) Tracked() bool { return p.Static.tracker != nil }

// Undo undoes the last call to Play.
func (p *Position) Undo() { p.moving.Undo() }

// Utility returns the value of a finished position.
func (p *Position) Utility() float64 { return p.State.Utility(p.Me) }

// Bounds returns bounds on the value of the current position.
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

// Extreme reports whether v, the value of the current position, is the highest or lowest utility
// that Me can still get, up to rounding errors in averages. The result target is that utility, and
// side is the side that would have to force it. The result ok is false in games with a score and in
// positions whose result is already decided.
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

// Role is the role of a node in the search.
type Role int8

const (
	Over    Role = iota // the game is over
	Leaf                // the node is evaluated
	Maximum             // decision of Me, or of nature on behalf of Me
	Minimum             // decision against Me
	Average             // chance node, or decision of a player who follows a policy
)

// Role returns the role of the current node. turn is the player to move, and depth is the number of
// decisions from the node to the horizon. Role also reports whether the node's moves count towards
// the depth.
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

// Decides reports whether turn is a player who chooses the best or the worst move. It returns false
// for nature and for a player who follows a policy.
func (p *Position) Decides(turn game.Player) bool {
	return turn == p.Me || turn >= 0 && !p.Nature.Others
}

// chanceRole returns the role of a node at which no player is to move.
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

// View is the point of view of a value. From the maximiser's point of view, a value is the utility
// of Position.Me; from the minimiser's, it is the negated utility. From the mover's point of view,
// every decision maximises (negamax; Knuth and Moore, An analysis of alpha-beta pruning, 1975).
type View bool

const (
	OfMax View = false
	OfMin View = true
)

// View returns the minimiser's view for the role Minimum, and the maximiser's view for all other
// roles.
func (r Role) View() View { return r == Minimum }

// Chooser returns the view of the player to move, turn.
func (p *Position) Chooser(turn game.Player) View { return turn != p.Me }

// Of converts x between the maximiser's view and v, in either direction.
func (v View) Of(x float64) float64 {
	if v == OfMin {
		return -x
	}
	return x
}

// Side returns the index of the view: 0 for the maximiser, 1 for the minimiser.
func (v View) Side() int {
	if v == OfMin {
		return 1
	}
	return 0
}

// Window converts a window between the maximiser's view and v, in either direction.
func (v View) Window(lo, hi float64) (alpha, beta float64) {
	if v == OfMin {
		return -hi, -lo
	}
	return lo, hi
}

// Total returns the sum of the utilities in a two-player game in which this sum is fixed.
func Total(sh game.Shape) float64 {
	if sh.Sum == game.Constant {
		return sh.Min + sh.Max
	}
	return 0
}

// Options contains the options that affect positions in every search: those common to all kinds of
// agents, and those that prune chance nodes.
type Options struct {
	Game   *game.Game
	Eval   evaluator
	Nodes  int64         // number of nodes after which the search stops; 0 means no limit
	Time   time.Duration // duration after which the search stops; 0 means no limit
	Leaf   models.Leaves // kind of position for which Eval was made; "" means models.Decision
	Assume assume.Assumption

	MinProb float64 // chance nodes with a lower probability are evaluated without a search; 0 means none
	Samples int     // number of nature's moves sampled at a chance node; 0 means all
}

// Validate checks the options for the given kind of agent. The checks do not depend on the
// position.
func (o *Options) Validate(agent string) error {
	switch {
	case o.Game == nil:
		return fmt.Errorf("%s: no game", agent)
	case o.Eval == nil:
		return fmt.Errorf("%s: no evaluation", agent)
	case o.Leaf != "" && o.Leaf != models.Decision && o.Leaf != models.Afterstate:
		return fmt.Errorf("%s: leaf=%s: want decision or afterstate", agent, o.Leaf)
	case !(o.MinProb >= 0 && o.MinProb < 1):
		return fmt.Errorf("%s: minimum probability %v: want a number that is at least 0 and less than 1", agent, o.MinProb)
	case o.Samples < 0:
		return fmt.Errorf("%s: %d samples: want a positive number", agent, o.Samples)
	case o.Assume.Kind == assume.Policy && o.Assume.Policy == nil:
		return fmt.Errorf("%s: the assumption has no policy", agent)
	case o.Nodes < 0:
		return fmt.Errorf("%s: nodes=%d: want a positive number", agent, o.Nodes)
	case o.Time < 0:
		return fmt.Errorf("%s: time=%v: want a positive time", agent, o.Time)
	}
	return game.RefuseHidden(agent, o.Game)
}
