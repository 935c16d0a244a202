package evaluation

import "plyfit/game"

// view is a position as the planner at its root values it: finished games and leaves, all through
// one damage. It is the state and the evaluator of a search at once. It hides what else the game
// offers to searches, because bounds and solvers count in undamaged units. A view belongs to one
// goroutine.
type view struct {
	game.State
	eval    *Evaluation
	arg     *argument
	damaged *Damaged

	root    game.Player
	bounds  game.Bounder // nil if the game has none
	parents []uint64     // hash of the last decision's position, by ply; kept if the damage shares
}

// chanceView adds the chance of the game itself to a view.
type chanceView struct {
	*view
	game.Chancer
}

// bind sets v to the base state s, which v then owns, and returns the state to search.
func (v *view) bind(s game.State) game.State {
	v.State, v.root, v.parents = s, s.Turn(), append(v.parents[:0], 0)
	v.bounds, _ = game.As[game.Bounder](s)
	if c, ok := game.As[game.Chancer](s); ok {
		return chanceView{v, c}
	}
	return v
}

// sign returns 1 if player 0 is at the root, else -1.
func (v *view) sign() int { return 1 - 2*int(v.root) }

// to returns the root player's value x from the view of player p.
func (v *view) to(p game.Player, x float64) float64 {
	if p != v.root {
		return -x
	}
	return x
}

// Utility implements [game.State].
func (v *view) Utility(p game.Player) float64 {
	return v.to(p, v.damaged.Terminal(v.eval.Terminal(v.State.Utility(0)), v.sign()))
}

// Evaluate implements [search.Evaluator] for the position that v is at.
func (v *view) Evaluate(_ game.State, p game.Player) float64 {
	lo, hi := v.eval.lo, v.eval.hi
	if v.bounds != nil {
		lo, hi = v.bounds.Bounds(0)
	}
	return v.to(p, v.damaged.value(v.State, v.parents[len(v.parents)-1], v.arg.Of(v.State), v.eval.Terminal(lo), v.eval.Terminal(hi), v.sign()))
}

// Play implements [game.State].
func (v *view) Play(m game.Move) {
	if v.damaged.shares() {
		parent := v.parents[len(v.parents)-1]
		if v.State.Turn() >= 0 {
			parent = v.State.Hash()
		}
		v.parents = append(v.parents, parent)
	}
	v.State.Play(m)
}

// Undo implements [game.State].
func (v *view) Undo() {
	if v.damaged.shares() {
		v.parents = v.parents[:len(v.parents)-1]
	}
	v.State.Undo()
}

// Hash implements [game.State]. What a leaf behind a chance node is worth may depend on the decision
// before that node.
func (v *view) Hash() uint64 {
	h := v.State.Hash()
	if v.damaged.shares() && v.State.Turn() < 0 {
		h ^= game.Mix(v.parents[len(v.parents)-1])
	}
	return h
}
