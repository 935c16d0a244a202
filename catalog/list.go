package catalog

import (
	"errors"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
	"plyfit/search"

	f2048 "plyfit/features/2048"
	fbackgammon "plyfit/features/backgammon"
	fcheckers "plyfit/features/checkers"
	fchess "plyfit/features/chess"
	fconnect4 "plyfit/features/connect4"
	fminesweeper "plyfit/features/minesweeper"
	fothello "plyfit/features/othello"
	fpacman "plyfit/features/pacman"
	fpig "plyfit/features/pig"
	ftictactoe "plyfit/features/tictactoe"
	ftree "plyfit/features/tree"
	g2048 "plyfit/game/2048"
	"plyfit/game/backgammon"
	"plyfit/game/checkers"
	"plyfit/game/chess"
	"plyfit/game/connect4"
	"plyfit/game/minesweeper"
	"plyfit/game/othello"
	"plyfit/game/pacman"
	"plyfit/game/pig"
	"plyfit/game/tictactoe"
	"plyfit/game/tree"
)

// All is plyfit's own list of games.
func All() Catalog {
	return Catalog{
		item("2048", g2048.New, f2048.Sets, Entry{Depth: 2, Goal: func(s game.State) bool { return s.(*g2048.State).Largest() >= 11 }, Recipe: Recipe{
			Rounds: 8, Episodes: 1000, First: "random", Planner: "expectimax:depth=1",
			Method: "lstd", Lambda: 0.5, Penalty: 0.01, Leaves: models.Afterstate, Frozen: map[string]float64{"score": 1},
			Pairs: 400, TwinPairs: 200, Nature: "alphabeta:depth=2",
		}}),
		item("connect4", connect4.New, fconnect4.Sets, Entry{Depth: 6, Engines: uciEngines, Recipe: Recipe{
			Rounds: 2, Episodes: 15000, First: "alphabeta:depth=3,eval=zero,ties=random", Planner: "alphabeta:depth=5",
			Openings: 10, Pairs: 400,
		}}),
		item("othello", othello.New, fothello.Sets, Entry{Engines: gtpEngines, Recipe: Recipe{
			Minimax: "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2", TwinPairs: 100,
		}}),
		item("checkers", checkers.New, fcheckers.Sets, Entry{Recipe: Recipe{
			Minimax: "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2", TwinPairs: 100,
		}}),
		// Chess: players who know nothing shuffle their pieces until the game is cut
		// off, so the hand-written evaluation plays the first games. With slips a
		// move and its reply are a thousand pairs: nature's moves are drawn.
		item("chess", chess.New, fchess.Sets, Entry{Engines: uciEngines, Recipe: Recipe{
			First: "alphabeta:depth=1,quiescence=on,ties=random,eval=handwritten", Planner: "alphabeta:depth=2,quiescence=on",
			Episodes: 2500, Penalty: 0.01,
			Planners: []string{"alphabeta:depth=1,quiescence=on", "alphabeta:depth=2,quiescence=on"}, Pairs: 60,
			Minimax: "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2,samples=3", TwinPairs: 10,
		}}),
		item("pig", pig.New, fpig.Sets, Entry{Regret: pig.Regret, RegretIn: "win probability", Recipe: Recipe{
			Rounds: 4, Episodes: 10000, Explore: 0.02, Pairs: 500, TwinPairs: 10,
		}}),
		item("backgammon", backgammon.New, fbackgammon.Sets, Entry{Depth: 1, Agents: map[string]ownAgent{"pubeval": pubeval}, Engines: gnubgEngines, Recipe: Recipe{
			Method: "logistic", Penalty: 1e-4, Leaves: models.Afterstate, Episodes: 1500,
			Planners: []string{"expectimax:depth=1"}, Expectimax: "expectimax:depth=1", Minimax: "alphabeta:depth=1", Pairs: 300, TwinPairs: 10,
		}}),
		item("pacman", pacman.New, fpacman.Sets, Entry{Depth: 2, Nature: &Nature{Key: "ghost", Own: []string{"random", "directional"}, Follow: pacman.WithGhosts}, Recipe: Recipe{
			Method: "lstd", Lambda: 0.8, Penalty: 0.01, Leaves: models.Afterstate, Frozen: map[string]float64{"score": 1},
			Rounds: 6, Episodes: 500, Explore: 0.05, First: "expectimax:depth=3,eval=zero,ties=random", Planner: "expectimax:depth=1,ties=random",
			Planners: []string{"expectimax:depth=1", "expectimax:depth=2", "alphabeta:depth=2"}, Pairs: 200, TwinPairs: 60,
		}}),
		item("minesweeper", minesweeper.New, fminesweeper.Sets, Entry{Depth: 1, Recipe: Recipe{
			Episodes: 400, Planners: []string{"expectimax:depth=1"}, Expectimax: "expectimax:depth=1", Minimax: "alphabeta:depth=1",
			Pairs: 100, TwinPairs: 10,
		}}),
		item("tictactoe", tictactoe.New, ftictactoe.Sets, Entry{Depth: 9, Engines: uciEngines, Recipe: Recipe{Openings: 2}}),
		item("tree", tree.New, ftree.Sets, Entry{Depth: deepEnough}),
	}
}

// item is an entry of one of plyfit's games: its line of documentation is the
// game's own, its models are those that models embeds.
func item(name string, make func(*game.Options) (*game.Game, error), sets func(*game.Game) []features.Set, e Entry) Entry {
	e.Name, e.New, e.Sets, e.Models = name, make, sets, models.ShippedFiles()
	return e
}

type ownAgent = func(w *World, o *game.Options) (func() (search.Agent, error), error)

// pubeval reads pubeval:weights=FOLDER.
func pubeval(_ *World, o *game.Options) (func() (search.Agent, error), error) {
	folder := o.String("weights", "")
	if err := o.Err(); err != nil {
		return nil, err
	}
	if folder == "" {
		return nil, errors.New("pubeval: want weights=FOLDER with the files WT.race and WT.cntc")
	}
	p, err := fbackgammon.NewPubeval(folder)
	if err != nil {
		return nil, err
	}
	return func() (search.Agent, error) { return p.Clone(), nil }, nil
}
