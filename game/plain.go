package game

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// jsonLines is one game a line, for scripts. Where cards are hidden it has the whole
// deal and, move by move, what the player knew who chose it.
var jsonLines = Format{
	Ext: "jsonl", Doc: "one JSON object a game",
	New: OneWrite(writeJSON),
}

func writeJSON(b *bytes.Buffer, g *Game, t *Transcript) error {
	line := struct {
		Game    string    `json:"game"`
		Event   string    `json:"event,omitempty"`
		Round   string    `json:"round,omitempty"`
		Players []string  `json:"players"` // by seat
		Start   string    `json:"start"`
		Moves   []string  `json:"moves"`           // nature's included
		Views   []string  `json:"views,omitempty"` // by move: what the mover knew; "" of nature. Absent where nothing is hidden
		Last    string    `json:"last"`            // the position after them
		Utility []float64 `json:"utility"`         // by seat; null where the game was left off
		End     End       `json:"end"`
	}{Game: g.Spec, Event: t.Event, Round: t.Round, Players: t.Names, Start: cmp.Or(t.Start, g.New().String()), Moves: []string{}, Utility: t.Utility, End: t.End}
	s, err := t.Replay(g, func(s State, m Move) error {
		line.Moves = append(line.Moves, s.MoveString(m))
		if g.Hidden {
			line.Views = append(line.Views, moverView(g, s))
		}
		return nil
	})
	if err != nil {
		return err
	}
	line.Last = s.String()
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	return e.Encode(line)
}

// moverView is what the player knows who is to move at s, "" where it is nature's turn.
func moverView(g *Game, s State) string {
	if s.Turn() < 0 {
		return ""
	}
	return g.View(s, s.Turn())
}

// plainText is for people: the players, the moves with nature's in parentheses, the last position,
// and the result. With hidden cards each choice has a line: who made it and what he knew.
var plainText = Format{
	Ext: "txt", Doc: "plain text",
	New: OneWrite(writeText),
}

func writeText(b *bytes.Buffer, g *Game, t *Transcript) error {
	fmt.Fprintf(b, "game      %s\n", g.Spec)
	if t.Event != "" {
		fmt.Fprintf(b, "event     %s\n", t.Event)
	}
	if t.Round != "" {
		fmt.Fprintf(b, "round     %s\n", t.Round)
	}
	for i, name := range t.Names {
		fmt.Fprintf(b, "player %d  %s\n", i, name)
	}
	fmt.Fprintf(b, "start     %s\n", cmp.Or(t.Start, g.New().String()))
	var words, views []string
	s, err := t.Replay(g, func(s State, m Move) error {
		word := s.MoveString(m)
		if s.Turn() == Chance || NatureToMove(s) {
			word = "(" + word + ")"
		}
		words = append(words, word)
		if view := moverView(g, s); view != "" {
			views = append(views, fmt.Sprintf("view %d    %s, plays %s\n", s.Turn(), view, word))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := WrapWords(b, words, 80); err != nil {
		return err
	}
	b.WriteString(strings.Join(views, ""))
	fmt.Fprintf(b, "last      %s\nend       %s", s, t.End)
	for i, u := range t.Utility {
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		fmt.Fprintf(b, "%splayer %d gets %v", sep, i, u)
	}
	b.WriteString("\n\n")
	return nil
}
