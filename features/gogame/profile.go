package gogame

import "plyfit/features"

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:   sets,
	Depth:  1,
	Levels: features.Levels{Depth: 2},
	Recipe: features.Recipe{
		Why:      "local shapes see what counting cannot, and want more games than a fit could hold",
		Training: []features.Training{{Set: "go/shapes", Episodes: 12000, Alpha: 1, Lambda: 0.7, TC: true, Epsilon: 0.05, Openings: 4}},
		Minimax:  "alphabeta:depth=1,assume=base", Expectimax: "expectimax:depth=1", Planners: []string{"alphabeta:depth=1"}, TwinPlanners: []string{"expectimax:depth=1"}, Pairs: 200, TwinPairs: 50,
	},
}
