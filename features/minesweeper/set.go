// Package minesweeper evaluates minesweeper.
//
// The journey: the game computes each cell's probability of a mine; terms.go derives how much is
// known, the risk of the next step and how much is still to be guessed; [Profile] has the sets.
package minesweeper

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/minesweeper"
	"plyfit/models"
)

// sets are the feature sets of minesweeper, the default first: minesweeper/beliefs, and
// minesweeper/progress, which counts cells and asks for no probability.
func sets(*game.Game) []features.Set { return []features.Set{beliefs.Set(), progress.Set()} }

var beliefs = features.Terms[values]{
	Name: "minesweeper/beliefs",
	Prepare: func(v *values, s game.State, _ game.Player) {
		v.progress(board.Of(s))
		v.beliefs(board.Of(s))
	},
	Append: func(v *values, x models.Vector) models.Vector {
		return features.AppendValues(x, features.Numbers[float64](v))
	},
	List: features.Fields[values](values{}),
}

// progressTerms is the number of terms of minesweeper/progress, the first of all.
const progressTerms = 4

var progress = features.Terms[values]{
	Name:    "minesweeper/progress",
	Prepare: func(v *values, s game.State, _ game.Player) { v.progress(board.Of(s)) },
	Append: func(v *values, x models.Vector) models.Vector {
		return features.AppendValues(x, features.Numbers[float64](v)[:progressTerms])
	},
	List: beliefs.List[:progressTerms],
}

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:  sets,
	Depth: 1,
	Recipe: features.Recipe{
		Rounds:   2,
		Episodes: 400, Planners: []string{"expectimax:depth=1"}, Expectimax: "expectimax:depth=1", Minimax: "alphabeta:depth=1",
		Pairs: 100, TwinPairs: 10,
	},
}
