package minesweeper

import (
	"plyfit/features"
)

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
