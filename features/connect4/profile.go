package connect4

import (
	"plyfit/features"
)

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:  Sets,
	Depth: 6,
	Recipe: features.Recipe{
		Rounds: 2, Episodes: 15000, First: "alphabeta:depth=3,eval=zero,ties=random", Planner: "alphabeta:depth=5",
		Openings: 10, Pairs: 400,
	},
}
