// Package pacman evaluates Pacman.
//
// The journey: [Profile] has the feature sets; their terms are in terms.go, those of ghosts in
// ghosts.go. All distances are steps through the maze. The score is a term of its own, which weighs
// 1, so that the rest learns the score still to come.
package pacman

import (
	"plyfit/features"
	"plyfit/game"
	maze "plyfit/game/pacman"
	"plyfit/models"
)

// sets are the feature sets of pacman, the default first: pacman/classic, and pacman/simple, the
// terms of Berkeley's SimpleExtractor as they stand after a move.
func sets(*game.Game) []features.Set { return []features.Set{classic.Set(), simple.Set()} }

var classic = features.Terms[values]{
	Name:    "pacman/classic",
	Prepare: func(v *values, s game.State, _ game.Player) { v.measure(s.(*maze.State)) },
	Append: func(v *values, x models.Vector) models.Vector {
		return features.AppendValues(x, features.Numbers[float64](v))
	},
	List: features.Fields[values](values{}),
}

var simple = features.Terms[simpleValues]{
	Name:    "pacman/simple",
	Prepare: func(v *simpleValues, s game.State, _ game.Player) { v.measure(s.(*maze.State)) },
	Append: func(v *simpleValues, x models.Vector) models.Vector {
		return features.AppendValues(x, features.Numbers[float64](v))
	},
	List: features.Fields[simpleValues](simpleValues{}),
}

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:   sets,
	Depth:  2,
	Nature: &features.Nature{Key: "ghost", Own: []string{"random", "directional"}, Follow: maze.WithGhosts},
	Recipe: features.Recipe{
		Why: "least squares learns values that are right on average and still walks into ghosts; evolution looks at the score alone",
		Training: []features.Training{
			{Method: "evolution", Episodes: 9000, Leaves: models.Decision, Population: 30, Batch: 10, Average: 0.25, Starts: 6},
			{Method: "evolution", Episodes: 54000, Leaves: models.Decision, Population: 30, Batch: 10, Average: 0.25, Alpha: 0.2},
		},
		Method: "lstd", Lambda: 0.8, Penalty: 0.01, Leaves: models.Afterstate, Frozen: map[string]float64{"score": 1},
		Rounds: 6, Episodes: 500, Explore: 0.05, First: "expectimax:depth=3,eval=zero,ties=random", Planner: "expectimax:depth=1,ties=random",
		Planners: []string{"expectimax:depth=1", "expectimax:depth=2", "alphabeta:depth=2"}, Pairs: 200, TwinPairs: 60,
	},
}
