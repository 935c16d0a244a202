package othello

import (
	"strings"

	"plyfit/game"
)

// gtp is the game in the Go Text Protocol for othello programs: black is player 0, squares are
// named as here, a1 at the top left, and no letter is skipped.
var gtp = game.Dialect{
	Protocol: "gtp", Name: "Othello", Size: 8,
	Move: func(s game.State, m game.Move) string {
		if m == Pass {
			return "pass"
		}
		return strings.ToUpper(s.MoveString(m))
	},
	ParseMove: func(s game.State, name string) (game.Move, error) {
		return game.FindMove(s, strings.ToLower(strings.TrimSpace(name)))
	},
	Past: func(s game.State) (game.State, []game.Move) { return Of(s).Past() },
	Left: func(s game.State) int { return Of(s).Empties() },
}
