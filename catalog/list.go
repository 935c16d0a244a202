package catalog

import (
	"plyfit/features"
	"plyfit/game"
	"plyfit/models"

	f2048 "plyfit/features/2048"
	fcheckers "plyfit/features/checkers"
	fconnect4 "plyfit/features/connect4"
	fothello "plyfit/features/othello"
	fpig "plyfit/features/pig"
	ftictactoe "plyfit/features/tictactoe"
	ftree "plyfit/features/tree"
	g2048 "plyfit/game/2048"
	"plyfit/game/checkers"
	"plyfit/game/connect4"
	"plyfit/game/othello"
	"plyfit/game/pig"
	"plyfit/game/tictactoe"
	"plyfit/game/tree"
)

// All is plyfit's own list of games.
func All() Catalog {
	return Catalog{
		item("2048", g2048.New, f2048.Sets, Entry{Depth: 2, Recipe: Recipe{
			Rounds: 6, Episodes: 600, First: "random", Planner: "expectimax:depth=1",
			Method: "lstd", Frozen: map[string]float64{"score": 1},
			Pairs: 100, Nature: "alphabeta:depth=2",
		}}),
		item("connect4", connect4.New, fconnect4.Sets, Entry{Depth: 6}),
		item("othello", othello.New, fothello.Sets, Entry{Recipe: Recipe{
			Minimax: "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2", TwinPairs: 100,
		}}),
		item("checkers", checkers.New, fcheckers.Sets, Entry{Recipe: Recipe{
			Minimax: "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2", TwinPairs: 100,
		}}),
		item("pig", pig.New, fpig.Sets, Entry{Recipe: Recipe{TwinPairs: 10}}),
		item("tictactoe", tictactoe.New, ftictactoe.Sets, Entry{Depth: 9, Recipe: Recipe{Openings: 2}}),
		item("tree", tree.New, ftree.Sets, Entry{Depth: deepEnough}),
	}
}

// item is an entry of one of plyfit's games: its line of documentation is the
// game's own, its models are those that models embeds.
func item(name string, make func(*game.Options) (*game.Game, error), sets func(*game.Game) []features.Set, e Entry) Entry {
	e.Name, e.New, e.Sets, e.Models = name, make, sets, models.ShippedFiles()
	return e
}
