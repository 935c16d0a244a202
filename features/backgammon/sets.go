// Package backgammon evaluates backgammon.
//
// The journey: [Profile] has backgammon/rich, what players count, separately for contact and race
// (terms.go, shots.go); backgammon/pubeval, the checkers on each point coded as in the literature;
// backgammon/patterns, the terms, the checkers counted by phase of the game and tables of six points
// in a row (patterns.go). The checkers are coded in inputs.go. [Pubeval] is the yardstick player of
// that name.
package backgammon

import (
	"errors"
	"os"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/models"
	"plyfit/search"
)

// view is that of all sets: the mover's; while dice roll, the last mover's.
func view(s game.State) game.Player {
	b := board.Of(s)
	if b.Turn() == game.Chance {
		return 1 - b.Player()
	}
	return b.Player()
}

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:   func(*game.Game) []features.Set { return []features.Set{rich.Set(), pubevalInputs(), newPatterned()} },
	Depth:  1,
	Levels: features.Levels{Errs: 0.1, Browser: 50_000}, // chance leaves little between levels that never err
	Recipe: features.Recipe{
		Why:      "tables of six points see primes and gaps that terms add up",
		Training: []features.Training{{Set: "backgammon/patterns", Episodes: 200000, Alpha: 1, Lambda: 0.7, TC: true, Bounded: true, Link: models.Identity, Average: 0.5}},
		Method:   "logistic", Penalty: 1e-4, Leaves: models.Afterstate, Episodes: 1500,
		Planners: []string{"expectimax:depth=1"}, Expectimax: "expectimax:depth=1", Minimax: "alphabeta:depth=1", Pairs: 3000, TwinPairs: 10,
	},
}

// Agents are kinds of agents that play backgammon alone.
var Agents = map[string]func(o *game.Options) (func() (search.Agent, error), error){"pubeval": pubeval}

// pubeval reads pubeval:weights=FOLDER.
func pubeval(o *game.Options) (func() (search.Agent, error), error) {
	folder := o.String("weights", "")
	if err := o.Err(); err != nil {
		return nil, err
	}
	if folder == "" {
		return nil, errors.New("pubeval: want weights=FOLDER with the files WT.race and WT.cntc")
	}
	p, err := readPubeval(os.DirFS(folder), folder)
	if err != nil {
		return nil, err
	}
	return func() (search.Agent, error) { return p.Clone(), nil }, nil
}
