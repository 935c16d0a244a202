package checkers

import (
	"plyfit/features"
)

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:   sets,
	Levels: features.Levels{Options: "quiescence=on", Nodes: 400_000},
	Recipe: features.Recipe{
		Why:      "tables of how men stand see the exchanges that terms do not",
		Training: []features.Training{{Set: "checkers/patterns", Episodes: 150000, Alpha: 1, Lambda: 0.7, TC: true}},
		Rounds:   2,
		// Without quiescence the gain is mostly captures to come: the last two planners search
		// these.
		Planners: []string{"alphabeta:depth=1", "alphabeta:depth=3", "alphabeta:depth=5", "alphabeta:depth=3,quiescence=on", "alphabeta:depth=5,quiescence=on"},
		Minimax:  "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2", TwinPairs: 100,
	},
}
