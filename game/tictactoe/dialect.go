package tictactoe

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/game/grid"
)

// uci is the game in UCI, as the match runner cutechess tells it: as a variant of
// chess in which men are dropped.
var uci = game.Dialect{
	Protocol: "uci", Name: "tictactoe",
	Tell: func(s game.State) (string, error) {
		cells, _, _ := strings.Cut(s.String(), " ")
		var b grid.Dropped
		b.Columns, b.Rows = 3, 3
		for i, c := range []byte(cells) {
			b.Cells[2-i/3][i%3] = byte(strings.IndexByte(".XO", c))
		}
		return "fen " + b.FEN(5, 4), nil
	},
	Parse: func(g *game.Game, fields []string) (game.State, error) {
		if fields[0] == "startpos" {
			return g.New(), nil
		}
		b, err := grid.ReadDropped(fields, 3, 3)
		if err != nil {
			return nil, err
		}
		var text strings.Builder
		for row := 2; row >= 0; row-- {
			for column := range 3 {
				text.WriteByte(".XO"[b.Cells[row][column]])
			}
		}
		var s game.State
		for _, side := range []string{" " + "XO"[b.Second:b.Second+1], " -"} { // - where it is over
			if s, err = g.Parse(text.String() + side); err == nil {
				break
			}
		}
		return s, err
	},
	Move: dropName,
	ParseMove: func(s game.State, name string) (game.Move, error) {
		column, row, ok := grid.Drop(name)
		if ok && column < 3 && row < 3 {
			if m, err := game.FindMove(s, strconv.Itoa(3*(2-row)+column+1)); err == nil {
				return m, nil
			}
		}
		return game.NoMove, grid.NoDrop(s, dropName)
	},
}

func dropName(_ game.State, m game.Move) string {
	return fmt.Sprintf("P@%c%d", 'a'+rune(m%3), 3-m/3)
}
