package pig

import (
	"plyfit/features"
	board "plyfit/game/pig"
)

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:   Sets,
	Regret: board.Regret, RegretIn: "win probability",
	Recipe: features.Recipe{
		Rounds: 4, Episodes: 10000, Explore: 0.02, Pairs: 500, TwinPairs: 10,
	},
}
