package search

import (
	"plyfit/game"
	"plyfit/search/internal/position"
)

// Observer is called with every node of a search when the search leaves it. The visit and its state
// must not be kept or changed.
type Observer interface {
	Node(n *Visit)
}

// Visit reports what a search found at a node, in player 0's view.
type Visit struct {
	State game.State
	Depth int // decisions before the horizon
	Value float64
	Kind  Bound // of Value
	Rule  Rule
	// Windowed is set by alpha-beta and expectimax: only values between Alpha and Beta mattered.
	Windowed    bool
	Alpha, Beta float64

	pos *position.Position
}

// Weights are those of a [Mean], in the order of State.Moves. They must not be kept.
func (n *Visit) Weights() []float64 {
	probs := &n.pos.Nature.Probs
	begin := len(*probs)
	n.pos.Weights(n.State.Moves(nil))
	weights := (*probs)[begin:]
	*probs = (*probs)[:begin]
	return weights
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

// observe tells o of the value v of a node with this role in its window, all in the maximizer's view.
// The value of a leaf that is only evaluated, and that of the end of a game, is exact (known) in any
// window.
func observe(o Observer, p *position.Position, role position.Role, depth int, v, alpha, beta float64, known bool) {
	rule := map[position.Role]Rule{position.Maximum: Largest, position.Minimum: Smallest, position.Average: Mean}[role]
	n := Visit{p.State, depth, v, kindOf(v, alpha, beta), rule, true, alpha, beta, p}
	if known {
		n.Kind = Exact
	}
	if p.Turned {
		total := position.Total(p.Shape)
		n.Value, n.Alpha, n.Beta = total-v, total-beta, total-alpha
		if rule == Largest || rule == Smallest {
			n.Rule = Largest + Smallest - rule
		}
		if n.Kind != Exact {
			n.Kind = Lower + Upper - n.Kind
		}
	}
	o.Node(&n)
}

func kindOf(v, alpha, beta float64) Bound {
	switch {
	case v >= beta:
		return Lower
	case v <= alpha:
		return Upper
	}
	return Exact
}
