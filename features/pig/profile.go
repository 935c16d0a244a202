package pig

import (
	"plyfit/features"
	board "plyfit/game/pig"
)

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:   sets,
	Regret: board.Regret, RegretIn: "win probability",
	Recipe: features.Recipe{
		Why:      "tables see the turn at which holding is better; random moves take them to positions that good play leaves out",
		Training: []features.Training{{Set: "pig/tiles", Episodes: 2000000, Alpha: 1, Lambda: 0.7, TC: true, Epsilon: 0.15}},
		Rounds:   4, Episodes: 10000, Explore: 0.02, Pairs: 4000, TwinPairs: 10,
		// Who takes the die for an adversary never rolls: under minimax all evaluations are one.
		Planners: []string{"expectimax:depth=1", "expectimax:depth=2"},
	},
}
