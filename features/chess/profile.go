package chess

import (
	"plyfit/features"
)

// Profile is what is known of the game besides its rules.
//
// It learns from nothing in many small rounds (docs/results/learning.md): each adds what
// its games say to the weights of the round before, which are its prior. So a few hundred
// games a round are enough, and values travel from the ends of games, all that the first
// round knows of, to their beginnings. Early rounds look one decision ahead: they cost a
// sixth, and teach what is worth how much. With slips a move and its reply are a thousand
// pairs: nature's moves are drawn.
var Profile = features.Profile{
	Sets: Sets,
	Recipe: features.Recipe{
		Why:    "each round adds to what the rounds before it saw, so that a few hundred games are enough",
		Rounds: 22, Episodes: 800, EarlyRounds: 16,
		First:   "alphabeta:depth=1,quiescence=on,ties=random,eval=zero",
		Early:   "alphabeta:depth=1,quiescence=on",
		Planner: "alphabeta:depth=2,quiescence=on",
		Returns: 0.8, Penalty: 0.01, Chain: true, Quiet: true,
		Planners: []string{"alphabeta:depth=1,quiescence=on", "alphabeta:depth=2,quiescence=on", "alphabeta:nodes=1000,quiescence=on"}, Pairs: 150,
		Minimax: "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2,samples=3", TwinPairs: 10,
	},
}
