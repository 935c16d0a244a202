package features

import (
	"fmt"
	"math"

	"plyfit/game"
	"plyfit/models"
)

// Evaluator evaluates positions for a search by a feature set and a model. It belongs to one
// goroutine, since it keeps buffers; Clone makes one for another goroutine that shares the weights.
//
// Minimax may skip a monotone link (mapping terminals by its inverse), since only the order
// matters; expectimax must not, since it averages. [Evaluator] applies the link and is right for
// both; [Unlinked] skips it, for the first alone. They differ in perspective.utility.
type Evaluator struct {
	set         Set
	model       *models.Linear
	sum         Compiled
	track       Tracked // sum, if it follows moves
	perspective perspective
	slow        bool
	world       *game.Game
	seen, base  game.State // the last state and what it wraps
}

// NewEvaluator joins set and m, which Bind or models.New made for it, in a game that may be
// wrapped: the link spans the utilities of the game itself, not of its hostile twin. A Compiler
// set's compiled form computes the sums with the present weights: a caller that changes them
// afterwards, as an online learner does, uses NewReference or makes another. It panics if m is not
// a model of set, or has a link that needs bounds and the game has none.
func NewEvaluator(g *game.Game, set Set, m *models.Linear) *Evaluator {
	return newEvaluator(g, set, m, false)
}

// NewReference is [NewEvaluator] by Extract and a sum, whatever a Compiler could
// do: what the fast ways are tested against.
func NewReference(g *game.Game, set Set, m *models.Linear) *Evaluator {
	return newEvaluator(g, set, m, true)
}

func newEvaluator(g *game.Game, set Set, m *models.Linear, slow bool) *Evaluator {
	base := g.Base()
	if m.Features != set.Name() || m.Game != base.Name {
		panic(fmt.Sprintf("features: model of %s and %s for %s and %s", m.Game, m.Features, base.Name, set.Name()))
	}
	if m.Link.Bounded() && math.IsInf(base.Max-base.Min, 0) {
		panic(fmt.Sprintf("features: link %s in %s, whose utilities have no bounds", m.Link.Kind, base.Spec))
	}
	e := &Evaluator{set: set, model: m, perspective: newPerspective(base, m.Link), slow: slow, world: g}
	if slow {
		e.sum = extract(base, set, m)
	} else {
		e.sum = Compile(base, set, m)
	}
	e.track, _ = e.sum.(Tracked)
	return e
}

// Clone is an evaluator for another goroutine, over the same weights.
func (e *Evaluator) Clone() *Evaluator { return newEvaluator(e.world, e.set, e.model, e.slow) }

// Evaluate is the expected utility of p at s, a base state or a wrapped one, in
// the game's units. In a zero-sum game Evaluate(s,0) + Evaluate(s,1) = 0.
func (e *Evaluator) Evaluate(s game.State, p game.Player) float64 {
	return e.perspective.utility(e.z(s, p), p)
}

// z is the weighted sum at s with the bias: player 0's if others' are its opposite, else p's.
func (e *Evaluator) z(s game.State, p game.Player) float64 {
	if s != e.seen { // to ask whether it is a wrapper takes long in WebAssembly
		e.seen, e.base = s, game.Base(s)
	}
	if e.track != nil {
		e.track.Reset(e.base)
	}
	return e.sum.Sum(e.base, p)
}

// Tracking is e for a search along a line of play, if its feature set can update sums from move to
// move, else ok is false. It shares e's buffers: use one of the two.
func (e *Evaluator) Tracking() (t *Tracking, ok bool) {
	if e.track == nil {
		return nil, false
	}
	return &Tracking{e.track, e.perspective}, true
}

// Lookahead is a Compiled that searches the tree below a chance node itself, in games of one player,
// faster than by making the moves one by one. [Evaluator.Foresight] offers it to a search.
type Lookahead interface {
	Compiled
	// Prepare begins another search, with a table of at most so many megabytes: 0 for the default,
	// below 0 for none. Nothing of earlier searches changes what is found or visited.
	Prepare(megabytes int)
	// Foresee is the value of s, a base state at which nature moves before the player, in a search of
	// depth decisions: the average over nature's moves, by probability, of the largest value after
	// the player's moves, where the last of them is worth z, within Bounds; or the utility where he
	// has none. It calls visits with the number of nodes below s visited since the last call, which
	// returns after how many more to call it again, 0 to stop: what Foresee returns then means nothing.
	// evaluations are the nodes with a z. If there are none, least is how many decisions were left
	// before the horizon at the node with fewest. ok is false where it cannot tell.
	Foresee(s game.State, depth int, visits func(nodes int64) int64) (value float64, evaluations int64, least int, ok bool)
	// Probed is how often its table was asked and knew, since the last call.
	Probed() (probes, hits int64)
}

// Foresight is e for a search of a game of one player over afterstates, if its feature set can search
// the tree itself and its link is the identity, so that a sum is a value; else ok is false. It shares
// e's buffers: use one of the two.
func (e *Evaluator) Foresight() (f *Foresight, ok bool) {
	sum, ok := e.sum.(Lookahead)
	if !ok || e.world.Base().Players != 1 || e.perspective.link.Bounded() {
		return nil, false
	}
	return &Foresight{e, sum}, true
}

// Foresight is an evaluator that searches the tree below a chance node itself.
type Foresight struct {
	*Evaluator
	Lookahead
}

// Tracking is an evaluator that is called with every move between its evaluations.
type Tracking struct {
	sum         Tracked
	perspective perspective
}

// Reset begins at s.
func (t *Tracking) Reset(s game.State) { t.sum.Reset(game.Base(s)) }

// Push is to be called with the position before m is played.
func (t *Tracking) Push(s game.State, m game.Move) { t.sum.Push(game.Base(s), m) }

// Pop takes the last Push back.
func (t *Tracking) Pop() { t.sum.Pop() }

// Evaluate is that of [Evaluator], at the position that the moves led to.
func (t *Tracking) Evaluate(s game.State, p game.Player) float64 {
	return t.perspective.utility(t.sum.Sum(game.Base(s), p), p)
}

// Unlinked is an evaluator without the link: its values order positions as the Evaluator's do, and
// cost no exponential. Only a search that compares and never averages may use it, with finished
// games by Utility.
type Unlinked struct{ *Evaluator }

// Evaluate is the weighted sum at s as p wants it, before the link.
func (u Unlinked) Evaluate(s game.State, p game.Player) float64 {
	return u.perspective.sign(p) * u.z(s, p)
}

// Utility is the sum for p's utility of a finished game: the link's
// inverse, infinite at the ends of the game's range.
func (u Unlinked) Utility(utility float64, p game.Player) float64 {
	e := u.perspective
	if e.opposed && p > 0 {
		return -e.link.Inverse(e.total-utility, e.lo, e.hi)
	}
	return e.link.Inverse(utility, e.lo, e.hi)
}

// perspective turns a weighted sum into a player's expected utility. In games of one and of two
// with constant sum there is one sum, player 0's, and player 1 has its opposite; in others, and
// with hidden information, each player has his own.
type perspective struct {
	opposed bool    // player 1 gets total minus what player 0 gets
	total   float64 // 0 in zero-sum games and against a solo player's adversary
	link    models.Link
	lo, hi  float64 // the game's bounds of utility, without wrappers
}

var identity = models.Link{Kind: models.Identity}

func newPerspective(base *game.Game, link models.Link) perspective {
	total, _ := base.FixedSum()
	return perspective{opposed: OneValue(base), total: total, link: link, lo: base.Min, hi: base.Max}
}

// OneValue reports whether player 0's sum determines all players' of a base game: in games of one,
// and of two with perfect information and a constant sum. With hidden information one player's view
// says nothing of another's.
func OneValue(base *game.Game) bool {
	_, fixed := base.FixedSum()
	return fixed && !base.Hidden
}

// utility applies the link: the expected utility of p for the weighted sum z.
func (e *perspective) utility(z float64, p game.Player) float64 {
	v := e.link.Apply(z, e.lo, e.hi)
	if e.opposed && p > 0 {
		return e.total - v
	}
	return v
}

// sign is the direction in which p's features count in the sum.
func (e *perspective) sign(p game.Player) float64 {
	if e.opposed && p > 0 {
		return -1
	}
	return 1
}

// Compile is m, a model of set, as the set compiles it where it can, else by Extract and a
// sum; g is without wrappers. Link and perspective are not its own: z is the weighted sum.
func Compile(g *game.Game, set Set, m *models.Linear) Compiled {
	if c, ok := set.(Compiler); ok {
		if sum := c.Compile(g, m); sum != nil {
			return sum
		}
	}
	return extract(g, set, m)
}

func extract(g *game.Game, set Set, m *models.Linear) Compiled {
	return &extracted{set: Own(set), model: m, opposed: OneValue(g)}
}

// extracted is the way of every set: extract and sum up.
type extracted struct {
	set     Set
	model   *models.Linear
	opposed bool
	x       models.Vector
}

func (e *extracted) Sum(s game.State, p game.Player) float64 {
	if !e.opposed {
		e.x = e.set.Extract(s, p, e.x[:0])
		return e.model.Bias + e.model.Dot(e.x)
	}
	view := e.set.View(s)
	e.x = e.set.Extract(s, view, e.x[:0])
	if view > 0 {
		return e.model.Bias - e.model.Dot(e.x)
	}
	return e.model.Bias + e.model.Dot(e.x)
}
