package chess

import (
	"plyfit/features"
)

// Profile is what is known of the game besides its rules.
//
// It learns from nothing by its own searches (docs/results/learning.md has the run): to
// players who know nothing and learn from outcomes all games look drawn, since they
// shuffle their pieces until the game is cut off. So where regression is asked for, the
// hand-written evaluation plays the first games. With slips a move and its reply are a
// thousand pairs: nature's moves are drawn.
var Profile = features.Profile{
	Sets: Sets,
	Recipe: features.Recipe{
		Why: "searches teach more than outcomes of weak games, and begin with nothing hand-written",
		Training: []features.Training{{
			Method: "treestrap", Agent: "alphabeta:depth=3,quiescence=on", Random: true, Scale: 0.3,
			Episodes: 15000, Batch: 4, Alpha: 0.03, Decay: 4000, Lambda: 0.9, Root: 30,
		}},
		Tests: 100,
		First: "alphabeta:depth=1,quiescence=on,ties=random,eval=handwritten", Planner: "alphabeta:depth=2,quiescence=on",
		Episodes: 2500, Penalty: 0.01,
		Planners: []string{"alphabeta:depth=1,quiescence=on", "alphabeta:depth=2,quiescence=on"}, Pairs: 60,
		Minimax: "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2,samples=3", TwinPairs: 10,
	},
}
