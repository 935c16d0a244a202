// Package backgammon evaluates backgammon.
//
// The journey: [Profile] has backgammon/rich, what players count, separately for contact and race
// (terms.go, shots.go); backgammon/pubeval, the checkers on each point coded as in the literature
// (inputs.go); backgammon/patterns, the terms, the checkers counted by phase of the game
// (phases.go) and tables of six points in a row (patterns.go); [Pubeval] is the yardstick player of
// that name.
package backgammon

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/backgammon"
)

// sets are the feature sets of backgammon, the default first.
func sets(*game.Game) []features.Set {
	return []features.Set{rich.Set(), pubevalInputs(), newPatterned()}
}

// view is that of all sets: the mover's; while dice roll, the last mover's.
func view(s game.State) game.Player {
	b := board.Of(s)
	if b.Turn() == game.Chance {
		return 1 - b.Player()
	}
	return b.Player()
}
