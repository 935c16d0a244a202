package evaluation

import (
	"context"
	"fmt"
	"math"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/policy"
	"plyfit/study"
)

// A planner searches to a fixed depth with a damaged evaluation in any world.
type planner struct {
	search.Agent
	view *view
	slip float64 // slip that it assumes; 0 if none
}

// Planner returns an agent that searches to the given depth with the damaged evaluation. The agent
// is expectimax if there is chance in the assumed world, and minimax otherwise. It plays the first
// of several equal moves. If the damage is Random, the agent plays random moves instead.
func (u *Subject) Planner(assumes study.World, depth int, d Damage) (search.Agent, error) {
	if d.Kind == Random {
		return policy.NewRandom(), nil
	}
	if depth -= d.Less(); depth < 1 {
		return nil, fmt.Errorf("%s: depth %d: want more than %d", u.Base.Spec, depth+d.Less(), d.Less())
	}
	g := *u.Base.Game
	g.Min, g.Max = math.Inf(-1), math.Inf(1) // a damaged value may exceed the bounds of the game
	v := &view{eval: u, arg: u.Argument(u.Model), damaged: u.Damaged(d)}
	// With these options, the choice between moves depends only on their values and their order in
	// the game.
	o := search.Options{Game: &g, Eval: v, Leaf: u.Leaf, Depth: depth, Ties: search.Plain, Order: search.Natural}
	make := search.NewAlphaBeta
	if o.Table = -1; assumes.Averages(u.Base.Chancy()) {
		make, o.Prune, o.Table = search.NewExpectimax, search.NoPrune, 4 // megabytes
	}
	a, err := make(o)
	return &planner{a, v, assumes.Slip}, err
}

func (p *planner) Search(ctx context.Context, s game.State) (search.Result, error) {
	seen := p.view.bind(game.Base(s).Clone())
	if p.slip > 0 {
		seen = game.NewSlip(seen, p.slip)
	}
	return p.Agent.Search(ctx, seen)
}

// view is the state and the evaluator of a search. It applies the damage to the values of leaves
// and finished games. It hides the game's bounds and solvers, because these use undamaged values.
// It must be used from a single goroutine.
type view struct {
	game.State
	eval    *Subject
	arg     *argument
	damaged *Damaged

	root    game.Player
	bounds  game.Bounder // nil if the game has none
	parents []uint64     // hashes of the last decision's position, by ply; maintained only if the noise is shared
}

type chanceView struct {
	*view
	game.Chancer
}

// bind sets v to the base state s and returns the state to be searched. The caller must not use s
// afterwards.
func (v *view) bind(s game.State) game.State {
	v.State, v.root, v.parents = s, s.Turn(), append(v.parents[:0], 0)
	v.bounds, _ = game.As[game.Bounder](s)
	if c, ok := game.As[game.Chancer](s); ok {
		return chanceView{v, c}
	}
	return v
}

func (v *view) parent() uint64 { return v.parents[len(v.parents)-1] }

// sign returns 1 if the root player is player 0, and -1 otherwise.
func (v *view) sign() int { return 1 - 2*int(v.root) }

// to converts x, a value from the root player's point of view, to player p's point of view.
func (v *view) to(p game.Player, x float64) float64 {
	if p != v.root {
		return -x
	}
	return x
}

func (v *view) Utility(p game.Player) float64 {
	return v.to(p, v.damaged.Terminal(v.eval.Terminal(v.State.Utility(0)), v.sign()))
}

// Evaluate implements [search.Evaluator] for the current position.
func (v *view) Evaluate(_ game.State, p game.Player) float64 {
	lo, hi := v.eval.Base.Min, v.eval.Base.Max
	if v.bounds != nil {
		lo, hi = v.bounds.Bounds(0)
	}
	return v.to(p, v.damaged.value(v.State, v.parent(), v.arg.Of(v.State), v.eval.Terminal(lo), v.eval.Terminal(hi), v.sign()))
}

func (v *view) Play(m game.Move) {
	if v.damaged.shares() {
		parent := v.parent()
		if v.State.Turn() >= 0 {
			parent = v.State.Hash()
		}
		v.parents = append(v.parents, parent)
	}
	v.State.Play(m)
}

func (v *view) Undo() {
	if v.damaged.shares() {
		v.parents = v.parents[:len(v.parents)-1]
	}
	v.State.Undo()
}

// Hash implements [game.State]. With shared noise, the value of a leaf after a chance node depends
// on the decision before that node.
func (v *view) Hash() uint64 {
	h := v.State.Hash()
	if v.damaged.shares() && v.State.Turn() < 0 {
		h ^= game.Mix(v.parent())
	}
	return h
}
