package othello

import (
	"fmt"
	"strings"

	"plyfit/game"
)

// gtp is the game in the Go Text Protocol as programs for othello use it: black is
// player 0, squares are named as here, a1 at the top left, and no letter is left
// out.
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

// nboard is the game in the NBoard protocol: whole games in GGF, squares in capitals.
var nboard = game.Dialect{
	Protocol: "nboard", Name: "Othello", Size: 8,
	Tell: func(s game.State) (string, error) {
		first, moves := Of(s).Past()
		var b strings.Builder
		fmt.Fprintf(&b, "(;GM[Othello]PC[plyfit]PB[black]PW[white]RE[?]TI[0]TY[8]%s", ggfStart(first))
		for _, m := range moves {
			b.WriteString(ggfMove(first, m))
			first.Play(m)
		}
		b.WriteString(";)")
		return b.String(), nil
	},
	Parse: func(_ *game.Game, fields []string) (game.State, error) {
		s, moves, err := ParseGGF(strings.Join(fields, " "))
		if err != nil {
			return nil, err
		}
		for _, m := range moves {
			s.Play(m)
		}
		return s, nil
	},
	Move: func(s game.State, m game.Move) string {
		if m == Pass {
			return "PA"
		}
		return strings.ToUpper(s.MoveString(m))
	},
	ParseMove: func(s game.State, name string) (game.Move, error) {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "pa" {
			name = "pass"
		}
		return game.FindMove(s, name)
	},
}
