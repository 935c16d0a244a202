package chess

import (
	"plyfit/features"
)

// Profile describes the game besides its rules.
//
// It learns in rounds (docs/results/chess.md): each adds its games to the weights of the round
// before, which are its prior, so that values travel from the ends of games, all that the first
// round knows, to their beginnings. Early rounds look one decision ahead: they cost a fifth, and
// teach the main weights. Later ones draw the depth of each decision: learning two decisions ahead
// alone, with the opponent's answer always seen, loses one decision ahead and at equal nodes. They
// also weigh the many small terms of wide, which are worth more in play than any other setting.
// Thirty steps of L-BFGS from the prior take half the time of Newton's method over so many
// features. With slips a move and its reply are a thousand pairs: nature's moves are drawn.
var Profile = features.Profile{
	Sets:   sets,
	Levels: features.Levels{Options: "quiescence=on,prune=selective", Nodes: 300_000, Browser: 60_000},
	Recipe: features.Recipe{
		Why:    "each round adds to what the rounds before it saw",
		Rounds: 13, Episodes: 6000, EarlyRounds: 7, EarlyEpisodes: 4000, LateSet: "chess/wide", Improvements: 1,
		Method: "lbfgs", Steps: 30,
		First:   "alphabeta:depth=1,quiescence=on,ties=random,eval=zero",
		Early:   "alphabeta:depth=1,quiescence=on",
		Planner: "mix(0.6*(alphabeta:depth=1,quiescence=on),0.4*(alphabeta:depth=2,quiescence=on))",
		Explore: 0.01, Returns: 0.9, Penalty: 0.03, Chain: true, Quiet: true,
		Planners: []string{"alphabeta:depth=1,quiescence=on", "alphabeta:depth=2,quiescence=on", "alphabeta:nodes=1000,quiescence=on"}, Pairs: 200,
		Minimax: "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2,samples=3", TwinPairs: 10,
	},
}
