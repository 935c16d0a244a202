package features

import (
	"fmt"
	"math"

	"plyfit/game"
	"plyfit/models"
)

// An Evaluator evaluates positions for a search with a feature set and a model. It contains buffers
// and must not be used by several goroutines at a time. Clone returns an evaluator of the same
// model for another goroutine.
//
// Minimax only compares values, so it may omit a monotonic link if it applies the inverse of the
// link to the values of finished games. Expectimax averages values and needs the link. [Evaluator]
// applies the link and is suitable for both. [Unlinked] omits it and is suitable only for minimax.
type Evaluator struct {
	set         Set
	model       *models.Linear
	sum         Compiled
	track       Tracked // same as sum, if it can be updated with each move
	perspective perspective
	slow        bool
	world       *game.Game
	seen, base  game.State // the last state, and the base state that it contains
}

// NewEvaluator returns an evaluator for set and m. The model must have been created for set by Bind
// or New. The game may be wrapped, but the link always uses the utilities of the base game.
//
// If the set is a Compiler or a [Pruner], the evaluator uses the current weights, and terms without
// a weight cost no time. A caller that changes the weights later, such as an online learner, must
// use NewReference or create a new evaluator. NewEvaluator panics if m is not a model of set, or if
// the link requires bounds of utility and the game has none.
func NewEvaluator(g *game.Game, set Set, m *models.Linear) *Evaluator {
	return newEvaluator(g, set, m, false)
}

// NewReference is like [NewEvaluator], but always extracts the features and computes their weighted
// sum. Tests compare the faster methods with it.
func NewReference(g *game.Game, set Set, m *models.Linear) *Evaluator {
	return newEvaluator(g, set, m, true)
}

func newEvaluator(g *game.Game, set Set, m *models.Linear, slow bool) *Evaluator {
	base := g.Base()
	if m.Features != set.Name() || m.Game != base.Name {
		panic(fmt.Sprintf("features: the model is for %s and %s, not for %s and %s", m.Game, m.Features, base.Name, set.Name()))
	}
	if m.Link.Bounded() && math.IsInf(base.Max-base.Min, 0) {
		panic(fmt.Sprintf("features: link %s in %s, whose utilities have no bounds", m.Link.Kind, base.Spec))
	}
	e := &Evaluator{set: set, model: m, perspective: newPerspective(base, m.Link), slow: slow, world: g}
	if slow {
		e.sum = extract(base, Own(set), m)
	} else {
		e.sum = Compile(base, set, m)
	}
	e.track, _ = e.sum.(Tracked)
	return e
}

// Clone returns an evaluator of the same model for another goroutine.
func (e *Evaluator) Clone() *Evaluator { return newEvaluator(e.world, e.set, e.model, e.slow) }

// Evaluate returns p's expected utility at s in the game's units. s may be wrapped. In a two-player
// zero-sum game with perfect information, Evaluate(s,0) + Evaluate(s,1) = 0.
func (e *Evaluator) Evaluate(s game.State, p game.Player) float64 {
	return e.perspective.utility(e.z(s, p), p)
}

// z returns the weighted sum at s, including the bias. If one sum determines the utilities of all
// players, this is the sum for player 0. Otherwise, it is the sum for p.
func (e *Evaluator) z(s game.State, p game.Player) float64 {
	if s != e.seen { // finding the base state is slow in WebAssembly
		e.seen, e.base = s, game.Base(s)
	}
	if e.track != nil {
		e.track.Reset(e.base)
	}
	return e.sum.Sum(e.base, p)
}

// Tracking returns an evaluator for a search along a line of play. ok is false if the feature set
// cannot update sums with each move. The result shares e's buffers, so only one of the two
// evaluators may be used.
func (e *Evaluator) Tracking() (t *Tracking, ok bool) {
	if e.track == nil {
		return nil, false
	}
	return &Tracking{e.track, e.perspective}, true
}

// A Lookahead is a Compiled that can search the tree below a chance node in single-player games.
// This is faster than a search that plays each move. [Evaluator.Foresight] provides it to a search.
type Lookahead interface {
	Compiled
	// Prepare begins a new search. megabytes is the maximum size of the table: 0 means the default,
	// and a negative number means no table. Earlier searches do not affect the results or the
	// number of nodes.
	Prepare(megabytes int)
	// Foresee returns the value of s in a search with a depth of the given number of decisions. s
	// is a base state at which nature moves before the player. The value is the mean over nature's
	// moves, weighted by probability, of the highest value after the player's moves. The value of a
	// leaf is the weighted sum z, limited by Bounds, or the utility if the player has no moves.
	//
	// Foresee calls visits with the number of nodes visited since the last call. visits returns the
	// number of nodes after which to call it again, or 0 to stop. If it stops, the result of
	// Foresee is invalid. evaluations is the number of nodes for which z was computed. If it is 0,
	// least is the smallest number of decisions left at any node. ok is false if Foresee cannot
	// determine the value.
	Foresee(s game.State, depth int, visits func(nodes int64) int64) (value float64, evaluations int64, least int, ok bool)
	// Probed returns the numbers of table lookups and hits since the last call.
	Probed() (probes, hits int64)
}

// Foresight returns an evaluator for a search over afterstates in a single-player game. ok is false
// in other games, if the feature set has no Lookahead, or if the link is not the identity, in which
// case a sum is not a value. The result shares e's buffers, so only one of the two evaluators may
// be used.
func (e *Evaluator) Foresight() (f *Foresight, ok bool) {
	sum, ok := e.sum.(Lookahead)
	if !ok || e.world.Base().Players != 1 || e.perspective.link.Bounded() {
		return nil, false
	}
	return &Foresight{e, sum}, true
}

// A Foresight is an evaluator that can search the tree below a chance node.
type Foresight struct {
	*Evaluator
	Lookahead
}

// A Tracking is an evaluator that is updated with every move between evaluations.
type Tracking struct {
	sum         Tracked
	perspective perspective
}

// Reset starts a line of play at s.
func (t *Tracking) Reset(s game.State) { t.sum.Reset(game.Base(s)) }

// Push must be called with the position s before m is played.
func (t *Tracking) Push(s game.State, m game.Move) { t.sum.Push(game.Base(s), m) }

// Pop undoes the last Push.
func (t *Tracking) Pop() { t.sum.Pop() }

// Evaluate returns the value of the current position in the line of play, which is the same as that
// returned by [Evaluator.Evaluate].
func (t *Tracking) Evaluate(s game.State, p game.Player) float64 {
	return t.perspective.utility(t.sum.Sum(game.Base(s), p), p)
}

// An Unlinked is an evaluator without the link. Its values have the same order as the Evaluator's
// but do not require an exponential function. It is suitable only for searches that compare values
// and never average them. For finished games, such searches must use the Utility method.
type Unlinked struct{ *Evaluator }

// Evaluate returns the weighted sum at s before the link, from p's point of view.
func (u Unlinked) Evaluate(s game.State, p game.Player) float64 {
	return u.perspective.sign(p) * u.z(s, p)
}

// Utility returns the weighted sum that corresponds to the given utility for p. It applies the
// inverse of the link. With a bounded link, the result is infinite at the bounds of the game's
// utilities.
func (u Unlinked) Utility(utility float64, p game.Player) float64 {
	e := u.perspective
	if e.opposed && p > 0 {
		return -e.link.Inverse(e.total-utility, e.lo, e.hi)
	}
	return e.link.Inverse(utility, e.lo, e.hi)
}

// perspective converts a weighted sum into the expected utility of a player. In single-player
// games, and in two-player games with a constant sum, there is one sum for player 0, and player 1
// has the opposite sum. In other games, and with hidden information, each player has a separate
// sum.
type perspective struct {
	opposed bool    // whether player 1 gets total minus player 0's utility
	total   float64 // total utility: 0 in zero-sum games, and against a single player's adversary
	link    models.Link
	lo, hi  float64 // bounds of utility in the base game
}

var identity = models.Link{Kind: models.Identity}

func newPerspective(base *game.Game, link models.Link) perspective {
	total, _ := base.FixedSum()
	return perspective{opposed: OneValue(base), total: total, link: link, lo: base.Min, hi: base.Max}
}

// OneValue reports whether player 0's sum determines the utilities of all players in a base game.
// This is the case for one player, and for two players with perfect information and a constant sum.
// With hidden information, what one player knows does not determine the value for another.
func OneValue(base *game.Game) bool {
	_, fixed := base.FixedSum()
	return fixed && !base.Hidden
}

// utility returns p's expected utility for the weighted sum z.
func (e *perspective) utility(z float64, p game.Player) float64 {
	v := e.link.Apply(z, e.lo, e.hi)
	if e.opposed && p > 0 {
		return e.total - v
	}
	return v
}

// sign returns the sign, 1 or -1, with which the features from p's point of view contribute to the
// sum.
func (e *perspective) sign(p game.Player) float64 {
	if e.opposed && p > 0 {
		return -1
	}
	return 1
}

// Compile returns the compiled form of m, a model of set. If the set cannot compile m, the result
// extracts the features and computes their weighted sum. g must not be wrapped. The result applies
// neither the link nor the perspective.
func Compile(g *game.Game, set Set, m *models.Linear) Compiled {
	if c, ok := set.(Compiler); ok {
		if sum := c.Compile(g, m); sum != nil {
			return sum
		}
	}
	return extract(g, prune(set, m.UsedGroups()), m)
}

// extract requires a set for a single goroutine.
func extract(g *game.Game, set Set, m *models.Linear) Compiled {
	return &extracted{set: set, model: m, opposed: OneValue(g)}
}

// extracted implements Compiled for any set, by extracting the features and computing their
// weighted sum.
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
