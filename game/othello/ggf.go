package othello

import (
	"bytes"
	"fmt"
	"strings"

	"plyfit/game"
)

// ggfFormat is the Generic Game Format of the internet servers, a game a line:
// `(;GM[Othello]PB[...]BO[8 -- ... *]B[F5]W[D6]...;)`, BO the position that it begins on. Black, * there, is seat 0; the result is black's discs minus white's, with :t after a loss on
// time and :r after another fault.
var ggfFormat = game.Format{
	Ext: "ggf", Doc: "Generic Game Format",
	New: game.OneWrite(writeGGF),
}

func writeGGF(b *bytes.Buffer, g *game.Game, t *game.Transcript) error {
	first, err := t.First(g)
	if err != nil {
		return err
	}
	property := func(name, value string) {
		fmt.Fprintf(b, "%s[%s]", name, strings.Map(func(r rune) rune {
			if r == '[' || r == ']' || r < ' ' {
				return ' '
			}
			return r
		}, value))
	}
	b.WriteString("(;")
	property("GM", "Othello")
	property("PC", "plyfit")
	property("EV", strings.TrimSpace(t.Event+" "+t.Round))
	property("PB", t.Names[0])
	property("PW", t.Names[1])
	if t.End == game.Unfinished {
		property("RE", "?")
	} else {
		why := map[game.End]string{game.OutOfTime: ":t", game.Crashed: ":r", game.IllegalMove: ":r"}[t.End]
		property("RE", fmt.Sprintf("%+.0f%s", t.Utility[0], why))
	}
	property("TY", "8")
	b.WriteString("BO[8 " + strings.ReplaceAll(Of(first).String(), "X", "*") + "]")
	_, err = t.Replay(g, func(s game.State, m game.Move) error {
		square := strings.ToUpper(s.MoveString(m))
		if m == Pass {
			square = "PA"
		}
		property([2]string{"B", "W"}[s.Turn()], square)
		return nil
	})
	b.WriteString(";)\n")
	return err
}
