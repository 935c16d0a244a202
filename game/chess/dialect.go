package chess

import (
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
		return g.Parse(strings.Join(fields, " "))
	},
	FEN:       func(s game.State) string { return Of(s).FEN() },
	Move:      func(s game.State, m game.Move) string { return s.MoveString(m) },
	ParseMove: parseMove,
}
