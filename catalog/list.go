package catalog

import (
	"plyfit/game/poker"
	"plyfit/models"

	f2048 "plyfit/features/2048"
	fbackgammon "plyfit/features/backgammon"
	fcheckers "plyfit/features/checkers"
	fchess "plyfit/features/chess"
	fconnect4 "plyfit/features/connect4"
	fdoudizhu "plyfit/features/doudizhu"
	fminesweeper "plyfit/features/minesweeper"
	fothello "plyfit/features/othello"
	fpacman "plyfit/features/pacman"
	fpig "plyfit/features/pig"
	fpoker "plyfit/features/poker"
	"plyfit/features/textbook"
	g2048 "plyfit/game/2048"
	"plyfit/game/backgammon"
	"plyfit/game/checkers"
	"plyfit/game/chess"
	"plyfit/game/connect4"
	"plyfit/game/doudizhu"
	"plyfit/game/minesweeper"
	"plyfit/game/othello"
	"plyfit/game/pacman"
	"plyfit/game/pig"
	"plyfit/game/tictactoe"
	"plyfit/game/tree"
)

// All returns the list of plyfit's games.
func All() Catalog {
	shipped := models.ShippedFiles()
	return Catalog{
		{Name: "2048", New: g2048.New, Profile: f2048.Profile, Models: shipped},
		{Name: "connect4", Title: "Connect four", New: connect4.New, Profile: fconnect4.Profile, Models: shipped},
		{Name: "othello", New: othello.New, Profile: fothello.Profile, Models: shipped},
		{Name: "checkers", New: checkers.New, Profile: fcheckers.Profile, Models: shipped},
		{Name: "chess", New: chess.New, Profile: fchess.Profile, Models: shipped},
		{Name: "pig", New: pig.New, Profile: fpig.Profile, Models: shipped},
		{Name: "backgammon", New: backgammon.New, Profile: fbackgammon.Profile, Models: shipped, Agents: fbackgammon.Agents},
		{Name: "pacman", New: pacman.New, Profile: fpacman.Profile, Models: shipped},
		{Name: "minesweeper", New: minesweeper.New, Profile: fminesweeper.Profile, Models: shipped},
		{Name: "tictactoe", Title: "Tic-tac-toe", New: tictactoe.New, Profile: textbook.TicTacToe, Models: shipped},
		{Name: "kuhn", Title: "Kuhn poker", New: poker.NewKuhn, Profile: fpoker.Kuhn, Models: shipped},
		{Name: "leduc", Title: "Leduc poker", New: poker.NewLeduc, Profile: fpoker.Leduc, Models: shipped},
		{Name: "doudizhu", Title: "Dou dizhu", New: doudizhu.New, Profile: fdoudizhu.Profile, Models: shipped, Agents: fdoudizhu.Agents},
		{Name: "tree", Title: "A tree of numbers", New: tree.New, Profile: textbook.Tree, Models: shipped},
	}.clone()
}
