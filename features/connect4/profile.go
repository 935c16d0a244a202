package connect4

import (
	"plyfit/features"
)

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:   sets,
	Depth:  6,
	Levels: features.Levels{Depth: 4, Nodes: 1_000_000, Browser: 200_000}, // medium sees that two more stones make an open three
	Recipe: features.Recipe{
		Why:      "tables of eight cells see beyond the terms, which regression has at their ceiling",
		Training: []features.Training{{Set: "connect4/full", Episodes: 150000, Alpha: 1, Lambda: 0.7, TC: true}},
		Rounds:   2, Episodes: 15000, First: "alphabeta:depth=3,eval=zero,ties=random", Planner: "alphabeta:depth=5",
		Openings: 10, Pairs: 400,
	},
}
