// Package checkers evaluates English draughts with three feature sets: checkers/terms, what players
// count, by phase; checkers/material, men and kings; and checkers/patterns, the terms with tables
// of how men stand.
package checkers

import (
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	rules "plyfit/game/checkers"
)

// army is one player's pieces and the other's, turned round so that his men
// move from square 1 to square 32: black's as they stand, white's from below.
type army struct{ men, kings, theirMen, theirKings uint64 }

// turn is b seen from the other side of the board.
func turn(b uint64) uint64 { return bits.Reverse64(b) >> 29 }

func armyOf(s *rules.State, p game.Player) army {
	a := army{s.Men(p), s.Kings(p), s.Men(1 - p), s.Kings(1 - p)}
	if p == 1 {
		a = army{turn(a.men), turn(a.kings), turn(a.theirMen), turn(a.theirKings)}
	}
	return a
}

func count(b uint64) int { return bits.OnesCount64(b) }

// material is the set checkers/material: the player's men and kings less the other's.
var material = features.Terms[army]{
	Name:          "checkers/material",
	Antisymmetric: true,
	Prepare:       func(a *army, s game.State, p game.Player) { *a = armyOf(rules.Of(s), p) },
	List: []features.Term[army]{
		{Name: "men", Doc: "men", Value: func(a *army) float64 { return float64(count(a.men) - count(a.theirMen)) }},
		{Name: "kings", Doc: "kings", Value: func(a *army) float64 { return float64(count(a.kings) - count(a.theirKings)) }},
	},
}

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:   func(*game.Game) []features.Set { return []features.Set{classic.Set(), material.Set(), patterns()} },
	Levels: features.Levels{Options: "quiescence=on", Nodes: 400_000},
	Recipe: features.Recipe{
		Why:      "tables of how men stand see the exchanges that terms do not",
		Training: []features.Training{{Set: "checkers/patterns", Episodes: 150000, Alpha: 1, Lambda: 0.7, TC: true}},
		Rounds:   2,
		// Without quiescence the gain is mostly captures to come: the last two planners search
		// these.
		Planners: []string{"alphabeta:depth=1", "alphabeta:depth=3", "alphabeta:depth=5", "alphabeta:depth=3,quiescence=on", "alphabeta:depth=5,quiescence=on"},
		Minimax:  "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2", TwinPairs: 100,
	},
}
