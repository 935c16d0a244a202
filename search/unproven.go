package search

import (
	"math"

	"plyfit/game"
)

// Unproven is e with its estimates kept strictly inside the bounds of g's
// utility: a value at a bound is then one that the search has seen at ends of
// the game, and no estimate. e itself where g has no bounds.
func Unproven(e Evaluator, g *game.Game) Evaluator {
	if math.IsInf(g.Max-g.Min, 0) || knowsNothing(e) {
		return e
	}
	inside := unproven{e, math.Nextafter(g.Min, g.Max), math.Nextafter(g.Max, g.Min)}
	if t, ok := e.(Tracker); ok {
		return unprovenTracker{t, inside}
	}
	return inside
}

type unproven struct {
	e      Evaluator
	lo, hi float64
}

// Evaluate implements [Evaluator].
func (u unproven) Evaluate(s game.State, p game.Player) float64 {
	return math.Min(u.hi, math.Max(u.lo, u.e.Evaluate(s, p)))
}

type unprovenTracker struct {
	Tracker
	inside unproven
}

// Evaluate implements [Evaluator].
func (u unprovenTracker) Evaluate(s game.State, p game.Player) float64 {
	return u.inside.Evaluate(s, p)
}
