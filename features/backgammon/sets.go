// Package backgammon provides the feature sets of backgammon and the benchmark player pubeval.
//
// [Profile] lists three sets. The set backgammon/rich contains the quantities that players count,
// separately for contact and for races (terms.go, shots.go). The set backgammon/pubeval contains
// the checkers on each point, encoded as in the literature (inputs.go). The set backgammon/patterns
// contains the terms of backgammon/rich, the checkers counted by phase of the game, and tables of
// six consecutive points (patterns.go).
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

// view returns the player from whose point of view all sets describe s: the mover, or the last
// mover while the dice are being rolled.
func view(s game.State) game.Player {
	b := board.Of(s)
	if b.Turn() == game.Chance {
		return 1 - b.Player()
	}
	return b.Player()
}

// Profile describes the game to the catalog.
var Profile = features.Profile{
	Sets:   func(*game.Game) []features.Set { return []features.Set{rich.Set(), pubevalInputs(), newPatterned()} },
	Depth:  1,
	Levels: features.Levels{Errs: 0.1, Browser: 50_000}, // chance hides most of the difference between levels that make no errors
	Recipe: features.Recipe{
		Why:      "six-point tables can represent primes and gaps, which single terms cannot",
		Training: []features.Training{{Set: "backgammon/patterns", Episodes: 200000, Alpha: 1, Lambda: 0.7, TC: true, Bounded: true, Link: models.Identity, Average: 0.5}},
		Method:   "logistic", Penalty: 1e-4, Leaves: models.Afterstate, Episodes: 1500,
		Planners: []string{"expectimax:depth=1"}, Expectimax: "expectimax:depth=1", Minimax: "alphabeta:depth=1", Pairs: 3000, TwinPairs: 10,
	},
}

// Agents contains the kinds of agents that can only play backgammon.
var Agents = map[string]func(o *game.Options) (func() (search.Agent, error), error){"pubeval": pubeval}

// pubeval parses the options of the agent pubeval:weights=FOLDER.
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
