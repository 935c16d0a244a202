package backgammon

import (
	"errors"
	"os"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
)

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:   sets,
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
