package chess

import (
	"plyfit/features"
)

// Profile is what is known of the game besides its rules.
//
// Players who know nothing shuffle their pieces until the game is cut off, so the
// hand-written evaluation plays the first games. With slips a move and its reply
// are a thousand pairs: nature's moves are drawn.
var Profile = features.Profile{
	Sets: Sets,
	Recipe: features.Recipe{
		First: "alphabeta:depth=1,quiescence=on,ties=random,eval=handwritten", Planner: "alphabeta:depth=2,quiescence=on",
		Episodes: 2500, Penalty: 0.01,
		Planners: []string{"alphabeta:depth=1,quiescence=on", "alphabeta:depth=2,quiescence=on"}, Pairs: 60,
		Minimax: "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2,samples=3", TwinPairs: 10,
	},
}
