package game

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// jsonLines is one game a line, for scripts.
var jsonLines = Format{
	Ext: "jsonl", Doc: "one JSON object a game",
	New: func(w io.Writer, g *Game) func(*Transcript) error {
		return func(t *Transcript) error {
			line := struct {
				Game    string    `json:"game"`
				Event   string    `json:"event,omitempty"`
				Round   string    `json:"round,omitempty"`
				Players []string  `json:"players"` // by seat
				Start   string    `json:"start"`
				Moves   []string  `json:"moves"`   // nature's included
				Last    string    `json:"last"`    // the position after them
				Utility []float64 `json:"utility"` // by seat; null where the game was left off
				End     End       `json:"end"`
			}{Game: g.Spec, Event: t.Event, Round: t.Round, Players: t.Names, Start: t.Start, Moves: []string{}, Utility: t.Utility, End: t.End}
			if line.Start == "" {
				line.Start = g.New().String()
			}
			s, err := t.Replay(g, func(s State, m Move) error {
				line.Moves = append(line.Moves, s.MoveString(m))
				return nil
			})
			if err != nil {
				return err
			}
			line.Last = s.String()
			var buf bytes.Buffer
			e := json.NewEncoder(&buf)
			e.SetEscapeHTML(false)
			if err := e.Encode(line); err != nil {
				return err
			}
			_, err = w.Write(buf.Bytes())
			return err
		}
	},
}

// plainText is for people: the players, the moves with nature's in parentheses,
// the last position, and what came of it.
var plainText = Format{
	Ext: "txt", Doc: "plain text",
	New: func(w io.Writer, g *Game) func(*Transcript) error {
		return func(t *Transcript) error {
			var b bytes.Buffer
			fmt.Fprintf(&b, "game      %s\n", g.Spec)
			if t.Event != "" {
				fmt.Fprintf(&b, "event     %s\n", t.Event)
			}
			if t.Round != "" {
				fmt.Fprintf(&b, "round     %s\n", t.Round)
			}
			for i, name := range t.Names {
				fmt.Fprintf(&b, "player %d  %s\n", i, name)
			}
			start := t.Start
			if start == "" {
				start = g.New().String()
			}
			fmt.Fprintf(&b, "start     %s\n", start)
			var words []string
			s, err := t.Replay(g, func(s State, m Move) error {
				word := s.MoveString(m)
				if s.Turn() == Chance || NatureToMove(s) {
					word = "(" + word + ")"
				}
				words = append(words, word)
				return nil
			})
			if err != nil {
				return err
			}
			if err := WrapWords(&b, words, 80); err != nil {
				return err
			}
			fmt.Fprintf(&b, "last      %s\nend       %s", s, t.End)
			for i, u := range t.Utility {
				sep := ", "
				if i == 0 {
					sep = ": "
				}
				fmt.Fprintf(&b, "%splayer %d gets %v", sep, i, u)
			}
			b.WriteString("\n\n")
			_, err = w.Write(b.Bytes())
			return err
		}
	},
}
