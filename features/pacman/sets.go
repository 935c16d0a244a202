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
