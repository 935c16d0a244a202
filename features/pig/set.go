// Package pig evaluates pig.
//
// The journey: [Profile] has pig/race, which counts how far everyone still has to go, how certain
// that is (race), and what the turn total and the die are worth to the roller; race.go computes the
// terms.
package pig

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/pig"
)

// sets are the feature sets of pig, the default first: pig/race, and pig/scores, the plain scores,
// turn total and whose turn it is; of two players also pig/tiles, the terms of pig/race with tables
// of positions (tiles.go). Their terms are the same for any target, and except pig/tiles for any
// number of players.
func sets(g *game.Game) []features.Set {
	sets := []features.Set{race.Set(), race.Only("pig/scores", "tempo", "lead", "turn", "rolling").Set()}
	if g.Players == 2 {
		sets = append(sets, newTiles())
	}
	return sets
}

var race = features.Terms[values]{
	Name:          "pig/race",
	Antisymmetric: true,
	View:          func(s game.State) game.Player { return s.(*board.State).Player() }, // also while the die rolls
	Prepare:       func(v *values, s game.State, p game.Player) { v.measure(s.(*board.State), p) },
	Values:        features.Numbers[float64, values],
	List:          features.Fields[values](values{}),
}

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
