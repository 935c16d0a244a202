package othello

import (
	"plyfit/features"
)

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:   sets,
	Levels: features.Levels{Options: "prune=selective", Nodes: 300_000},
	Recipe: features.Recipe{
		Why:      "patterns see what counting cannot, and want more games than a fit could hold",
		Training: []features.Training{{Set: "othello/patterns", Episodes: 80000, Alpha: 0.5, Lambda: 0.9, TC: true, Wins: 0.8, Openings: 4, OnPolicy: true}},
		Frozen:   map[string]float64{wipeOut: 1}, // a won game, in the scale of values
		Minimax:  "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2", TwinPairs: 100,
	},
}
