package evaluation

import "plyfit/game"

// view is the state and the evaluator of a search at once: finished games and leaves have the values
// of the player at the root, through one damage. It hides the game's bounds and solvers, which use
// undamaged units. A view belongs to one goroutine.
type view struct {
	game.State
	eval    *Evaluation
	arg     *argument
	damaged *Damaged

	root    game.Player
	bounds  game.Bounder // nil if the game has none
	parents []uint64     // hashes of the last decisions' positions, by ply; kept if the damage shares
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

// Evaluate implements [search.Evaluator] for the current position.
func (v *view) Evaluate(_ game.State, p game.Player) float64 {
	lo, hi := v.eval.Base.Min, v.eval.Base.Max
	if v.bounds != nil {
		lo, hi = v.bounds.Bounds(0)
	}
	return v.to(p, v.damaged.value(v.State, v.parent(), v.arg.Of(v.State), v.eval.Terminal(lo), v.eval.Terminal(hi), v.sign()))
}

// parent returns the hash of the last decision's position.
func (v *view) parent() uint64 { return v.parents[len(v.parents)-1] }

// Play implements [game.State].
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

// Undo implements [game.State].
func (v *view) Undo() {
	if v.damaged.shares() {
		v.parents = v.parents[:len(v.parents)-1]
	}
	v.State.Undo()
}

// Hash implements [game.State]. The value of a leaf behind a chance node may depend on the decision
// before the node.
func (v *view) Hash() uint64 {
	h := v.State.Hash()
	if v.damaged.shares() && v.State.Turn() < 0 {
		h ^= game.Mix(v.parent())
	}
	return h
}
