package gogame

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"plyfit/game"
)

// sgf is the Smart Game Format, a game a line.
var sgf = game.Format{
	Ext: "sgf", Doc: "Smart Game Format",
	New: func(w io.Writer, g *game.Game) func(*game.Transcript) error {
		return func(t *game.Transcript) error {
			text, err := sgfOf(g, t)
			if err != nil {
				return err
			}
			_, err = io.WriteString(w, text+"\n")
			return err
		}
	},
}

func sgfOf(g *game.Game, t *game.Transcript) (string, error) {
	first := g.New().(*State)
	if t.Start != "" {
		s, err := g.Parse(t.Start)
		if err != nil {
			return "", err
		}
		first = Of(s)
	}
	root, before := first.Past()
	var b strings.Builder
	property := func(name, value string) {
		fmt.Fprintf(&b, "%s[%s]", name, strings.NewReplacer("\\", "\\\\", "]", "\\]", "\n", " ").Replace(value))
	}
	b.WriteString("(;GM[1]FF[4]CA[UTF-8]")
	property("AP", "plyfit")
	property("SZ", strconv.Itoa(first.size))
	property("KM", strconv.FormatFloat(first.komi, 'f', -1, 64))
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
		property(";"+"BW"[root.Turn():root.Turn()+1], root.sgfPoint(m))
		root.Play(m)
	}
	end, err := t.Replay(g, func(s game.State, m game.Move) error {
		property(";"+"BW"[s.Turn():s.Turn()+1], Of(s).sgfPoint(m))
		return nil
	})
	if err != nil {
		return "", err
	}
	b.WriteString(")")
	return strings.Replace(b.String(), "RU[", "RE["+sgfResult(Of(end), t)+"]RU[", 1), nil
}

// sgfPoint is a move as SGF writes it.
func (s *State) sgfPoint(m game.Move) string {
	if m == Pass {
		return ""
	}
	at := int(s.place[m])
	return string([]byte{'a' + byte(at%s.size), 'a' + byte(s.size-1-at/s.size)})
}

// sgfResult is a RE: the winner, and the margin or the fault; ? for games that were
// left off.
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
