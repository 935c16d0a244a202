package game

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// jsonLines writes one game per line, for scripts. In games with hidden cards, the line contains
// the whole deal and what the mover knew before each move.
var jsonLines = Format{
	Ext: "jsonl", Doc: "one JSON object per game",
	New: OneWrite(writeJSON),
}

func writeJSON(b *bytes.Buffer, g *Game, t *Transcript) error {
	line := struct {
		Game    string    `json:"game"`
		Event   string    `json:"event,omitempty"`
		Round   string    `json:"round,omitempty"`
		Players []string  `json:"players"` // by seat
		Start   string    `json:"start"`
		Moves   []string  `json:"moves"`           // including nature's moves
		Views   []string  `json:"views,omitempty"` // what the mover knew before each move, "" for nature; absent if nothing is hidden
		Last    string    `json:"last"`            // position after the last move
		Utility []float64 `json:"utility"`         // result for each seat; null if the game was not finished
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

// moverView returns what the player to move at s knows, or "" if nature is to move.
func moverView(g *Game, s State) string {
	if s.Turn() < 0 {
		return ""
	}
	return g.View(s, s.Turn())
}

// plainText is a format for people. It contains the players, the moves, the last position and the
// result. Nature's moves are in parentheses. In games with hidden cards, one line per decision
// shows what the mover knew.
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
