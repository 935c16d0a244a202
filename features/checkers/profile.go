package checkers

import (
	"plyfit/features"
)

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets: Sets,
	Recipe: features.Recipe{
		Rounds:  2,
		Minimax: "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2", TwinPairs: 100,
	},
}
