package g2048

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/2048"
	"plyfit/models"
)

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:  sets,
	Depth: 2,
	Goal:  func(s game.State) bool { return s.(*board.State).Largest() >= 11 },
	Recipe: features.Recipe{
		Minutes:  2,
		Why:      "tables of five cells reach two to three times as far as any terms of lines",
		Training: []features.Training{{Set: "2048/4x5", Episodes: 12000, Alpha: 1, Lambda: 0.5, TC: true}},
		Long:     []features.Training{{Set: "2048/4x6", Episodes: 100000, Alpha: 1, Lambda: 0.5, TC: true}},
		Rounds:   8, Episodes: 1000, First: "random", Planner: "expectimax:depth=1",
		Method: "lstd", Lambda: 0.5, Penalty: 0.01, Leaves: models.Afterstate, Frozen: map[string]float64{"score": 1},
		Pairs: 200, TwinPairs: 100, Nature: "alphabeta:depth=2",
	},
}
