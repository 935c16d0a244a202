package gogame

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
)

// sgf is the Smart Game Format, with one game per line.
var sgf = game.Format{
	Ext: "sgf", Doc: "Smart Game Format",
	New: game.OneWrite(writeSGF),
}

func writeSGF(b *bytes.Buffer, g *game.Game, t *game.Transcript) error {
	start, err := t.First(g)
	if err != nil {
		return err
	}
	var moves strings.Builder
	end, err := t.Replay(g, func(s game.State, m game.Move) error {
		moves.WriteString(Of(s).sgfMove(m))
		return nil
	})
	if err != nil {
		return err
	}
	first := Of(start)
	root, before := first.Past()
	property := func(name, value string) {
		fmt.Fprintf(b, "%s[%s]", name, strings.NewReplacer("\\", "\\\\", "]", "\\]", "\n", " ").Replace(value))
	}
	b.WriteString("(;GM[1]FF[4]CA[UTF-8]")
	property("AP", "plyfit")
	property("SZ", strconv.Itoa(first.size))
	property("KM", strconv.FormatFloat(first.komi, 'f', -1, 64))
	property("RE", sgfResult(Of(end), t))
	property("RU", "Tromp-Taylor")
	property("EV", strings.TrimSpace(t.Event+" "+t.Round))
	property("PB", t.Names[0])
	property("PW", t.Names[1])
	stones := false
	for c := black; c <= white; c++ {
		list := ""
		for _, p := range root.points {
			if root.colour[p] == c {
				list += "[" + root.sgfPoint(game.Move(p)) + "]"
			}
		}
		if list != "" {
			b.WriteString("A" + "BW"[c-black:c] + list)
			stones = true
		}
	}
	if stones || root.first != 0 {
		property("PL", "BW"[root.first:root.first+1])
	}
	for _, m := range before {
		b.WriteString(root.sgfMove(m))
		root.Play(m)
	}
	b.WriteString(moves.String() + ")\n")
	return nil
}

// sgfMove returns the SGF node of move m at s.
func (s *State) sgfMove(m game.Move) string {
	return fmt.Sprintf(";%c[%s]", "BW"[s.Turn()], s.sgfPoint(m))
}

// sgfPoint returns the SGF form of a move.
func (s *State) sgfPoint(m game.Move) string {
	if m == Pass {
		return ""
	}
	at := int(s.place[m])
	return string([]byte{'a' + byte(at%s.size), 'a' + byte(s.size-1-at/s.size)})
}

// sgfResult returns the value of RE: the winner, followed by the margin or the fault. The result of
// an unfinished game is ?.
func sgfResult(end *State, t *game.Transcript) string {
	if t.End == game.Unfinished || len(t.Utility) != 2 {
		return "?"
	}
	winner := "0"
	switch {
	case t.Utility[0] > t.Utility[1]:
		winner = "B+"
	case t.Utility[0] < t.Utility[1]:
		winner = "W+"
	}
	if winner == "0" {
		return winner
	}
	switch t.End {
	case game.OutOfTime:
		return winner + "Time"
	case game.Crashed, game.IllegalMove:
		return winner + "Forfeit"
	case game.Played:
		return winner + strconv.FormatFloat(max(end.Score(), -end.Score()), 'f', -1, 64)
	}
	return winner
}
