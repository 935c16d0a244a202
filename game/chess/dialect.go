package chess

import (
	"fmt"
	"strings"

	"plyfit/game"
)

// uci is the game in UCI, which was made for it.
var uci = game.Dialect{
	Protocol: "uci",
	Tell: func(s game.State) (string, error) {
		if text := s.String(); text != startFEN {
			return "fen " + text, nil
		}
		return "startpos", nil
	},
	Parse: func(g *game.Game, fields []string) (game.State, error) {
		if len(fields) > 6 { // moves without the word, as like as not
			return nil, fmt.Errorf("fen: %d fields, want at most 6, then moves", len(fields))
		}
		return g.Parse(strings.Join(fields, " "))
	},
	FEN:  func(s game.State) string { return Of(s).FEN() },
	Move: func(s game.State, m game.Move) string { return s.MoveString(m) },
	ParseMove: func(s game.State, name string) (game.Move, error) {
		// Its own spelling alone: that a book's would be understood is no help here.
		return game.FindMove(s, strings.ToLower(name))
	},
}
