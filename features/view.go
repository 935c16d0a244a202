package features

import (
	"plyfit/game"
	"plyfit/models"
)

// ExtractView appends to x the features of the base state s in the set's View, and returns their
// sign for player 0 in games of one and of two with a constant sum: -1 where the view is the second
// player's.
func ExtractView(set Set, s game.State, x models.Vector) (_ models.Vector, sign float32) {
	view := set.View(s)
	x = set.Extract(s, view, x)
	if view > 0 {
		return x, -1
	}
	return x, 1
}

// ExtractFirst appends features in player 0's view: those of [ExtractView] times their sign.
func ExtractFirst(set Set, s game.State, x models.Vector) models.Vector {
	from := len(x)
	x, sign := ExtractView(set, s, x)
	if sign < 0 {
		Negate(x[from:])
	}
	return x
}

// Negate is the other player's view: every value with the opposite sign.
func Negate(x models.Vector) {
	for i := range x {
		x[i].Value = -x[i].Value
	}
}
