package search

import (
	"plyfit/game"
	"plyfit/search/internal/position"
)

// Observer is called with every node of a search with its value, or its bound, in
// player 0's view. s must not be kept or changed.
type Observer interface {
	Node(s game.State, depth int, value float64, kind Bound)
}

// WindowObserver is an Observer of alpha-beta and expectimax that also gets the window, just before
// each Node: only values between alpha and beta, in player 0's view, matter there.
type WindowObserver interface {
	Observer
	Window(alpha, beta float64)
}

// Rule is how a search computes the value of a node from those after its moves.
type Rule int8

// The rules. Values are in player 0's view, so a minimizer's is Smallest.
const (
	Static   Rule = iota // not from its moves: the game is over, or the evaluation answers
	Largest              // of the values
	Smallest             // of the values
	Mean                 // of the values, by weights: chance, or a player who follows a policy
	Own                  // the value of the move that is best for the mover: max^n
)

// RuleObserver is an Observer that also gets the rule of a node, just before each Node. weights are
// those of a Mean, in the order of State.Moves, and nil elsewhere. They must not be kept.
type RuleObserver interface {
	Observer
	Rule(r Rule, weights []float64)
}

// observe tells o of the value v of a node with this role in its window, all in the maximizer's view.
// The value of a leaf that is only evaluated, and that of the end of a game, is exact (known) in any
// window.
func observe(o Observer, p *position.Position, role position.Role, depth int, v, alpha, beta float64, known bool) {
	kind := kindOf(v, alpha, beta)
	if known {
		kind = Exact
	}
	rule := map[position.Role]Rule{position.Maximum: Largest, position.Minimum: Smallest, position.Average: Mean}[role]
	if p.Turned && (rule == Largest || rule == Smallest) {
		rule = Largest + Smallest - rule
	}
	observeRule(o, p, rule)
	if p.Turned {
		v = position.Total(p.Shape) - v
		if kind != Exact {
			kind = Lower + Upper - kind
		}
		alpha, beta = position.Total(p.Shape)-beta, position.Total(p.Shape)-alpha
	}
	if o, ok := o.(WindowObserver); ok {
		o.Window(alpha, beta)
	}
	o.Node(p.State, depth, v, kind)
}

// observeRule tells o, if it asks for rules, of the present node's.
func observeRule(o Observer, p *position.Position, rule Rule) {
	asks, ok := o.(RuleObserver)
	if !ok {
		return
	}
	if rule != Mean {
		asks.Rule(rule, nil)
		return
	}
	begin := len(p.Nature.Probs)
	p.Weights(p.State.Moves(nil))
	asks.Rule(rule, p.Nature.Probs[begin:])
	p.Nature.Probs = p.Nature.Probs[:begin]
}

// kindOf says what a fail-soft value is, given the window it was sought in.
func kindOf(v, alpha, beta float64) Bound {
	switch {
	case v >= beta:
		return Lower
	case v <= alpha:
		return Upper
	}
	return Exact
}
