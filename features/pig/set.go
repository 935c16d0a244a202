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
