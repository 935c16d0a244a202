// Package pig says what is good in pig.
//
// The journey: [Sets] has pig/race, in which what counts is how far everyone
// still has to go, how sure that is (race), and what the turn total and the die
// are worth to the roller; race.go works the terms out.
package pig

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/pig"
	"plyfit/models"
)

// Sets are the feature sets of pig, the default first: pig/race, and
// pig/scores, the scores, the turn total and whose turn it is, as they stand; of two
// players pig/tiles, too, the terms of pig/race beside tables of positions (tiles.go).
// Their terms are the same for any target, and but for pig/tiles for any number of
// players.
func Sets(g *game.Game) []features.Set {
	sets := []features.Set{race.Set(), race.Pick("pig/scores", "tempo", "lead", "turn", "rolling").Set()}
	if g.Players == 2 {
		sets = append(sets, newTiles(sets[0]))
	}
	return sets
}

// values are those of all terms.
type values [size]float64

var race = features.Terms[values]{
	Name:          "pig/race",
	Antisymmetric: true,
	View:          func(s game.State) game.Player { return s.(*board.State).Player() }, // also while the die rolls
	Prepare:       func(v *values, s game.State, p game.Player) { v.measure(s.(*board.State), p) },
	Values:        func(v *values) []float64 { return v[:] },
	Walk: func(v *values, s game.State, p game.Player, x models.Vector) models.Vector {
		var own values
		v = features.Scratch(v, &own)
		v.measure(s.(*board.State), p)
		return features.AppendValues(x, v[:])
	},
	Direct: true,
	List:   list[:],
}
