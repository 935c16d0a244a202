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

// observe tells o of a node's value v in its window, all in the maximizer's view. The value of a leaf
// that is only evaluated, and that of the end of a game, is exact (known) in any window.
func observe(o Observer, p *position.Position, depth int, v, alpha, beta float64, known bool) {
	kind := kindOf(v, alpha, beta)
	if known {
		kind = Exact
	}
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
