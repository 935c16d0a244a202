package search

import (
	"plyfit/game"
	"plyfit/search/internal/position"
)

// An Observer receives every node of a search when the search leaves the node. It must not keep or
// modify the visit or its state.
type Observer interface {
	Node(n *Visit)
}

// A Visit describes a node and the value that a search found for it, from player 0's point of view.
type Visit struct {
	State game.State
	Depth int // number of decisions from the node to the horizon
	Value float64
	Kind  Bound // kind of Value
	Rule  Rule
	// Windowed is set by minimax, alpha-beta and expectimax. It means that only values between
	// Alpha and Beta mattered.
	Windowed    bool
	Alpha, Beta float64

	pos *position.Position
}

// Weights returns the weights of the moves at a [Mean] node, in the order of State.Moves. The
// caller must not keep the slice.
func (n *Visit) Weights() []float64 {
	probs := &n.pos.Nature.Probs
	begin := len(*probs)
	n.pos.Weights(n.State.Moves(nil))
	weights := (*probs)[begin:]
	*probs = (*probs)[:begin]
	return weights
}

// A Rule describes how a search computes the value of a node from the values of its moves.
type Rule int8

// The rules refer to values from player 0's point of view, so the rule at a minimiser's node is
// Smallest.
const (
	Static   Rule = iota // not computed from moves: the game is over, or the position was evaluated
	Largest              // maximum of the values
	Smallest             // minimum of the values
	Mean                 // weighted mean of the values, at a chance node or if the player follows a policy
	Own                  // value of the move that is best for the mover (max^n)
)

// observe reports the value v of a node with the given role to o. v and the window are from the
// maximiser's point of view. If known is set, v does not depend on the window because the node is a
// statically evaluated leaf or the end of a game. Its value is then exact.
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
