package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/game"
)

// positionFlag adds --position to a command that looks at positions.
func positionFlag(cmd *cobra.Command, position *string) {
	cmd.Flags().StringVarP(position, "position", "p", "", "the position, in the game's notation; the start without it; - reads one a line from standard input")
}

// eachPosition calls look for the position that the flag names: the start, one
// given, or, for "-", every line of standard input that is not empty.
func (a *app) eachPosition(w *catalog.World, flag string, look func(s game.State) error) error {
	switch flag {
	case "":
		return look(w.New())
	case "-":
	default:
		s, err := w.Parse(flag)
		if err != nil {
			return err
		}
		return look(s)
	}
	lines := bufio.NewScanner(a.stdin)
	lines.Buffer(make([]byte, 0, 64<<10), 16<<20)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		s, err := w.Parse(text)
		if err == nil {
			err = look(s)
		}
		if err != nil {
			return fmt.Errorf("standard input, line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return failed(fmt.Errorf("standard input: %w", err))
	}
	return nil
}

// turnOf is a turn as JSON has it: a player's number, "chance" or "over".
func turnOf(s game.State) any {
	switch t := s.Turn(); t {
	case game.Chance:
		return "chance"
	case game.Nobody:
		return "over"
	default:
		return int(t)
	}
}

// writeJSON prints v on one line.
func writeJSON(w io.Writer, v any) error {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return failed(err)
	}
	_, err := w.Write(buf.Bytes())
	return failed(err)
}

// number prints x as a person reads it: up to six significant digits, more
// where an integer has them.
func number(x float64) string {
	switch {
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return fmt.Sprintf("%.0f", x+0) // +0: no negative zero
	default:
		return fmt.Sprintf("%.6g", x)
	}
}

// moveStrings spells a line of play from s, which it leaves as it found it.
func moveStrings(s game.State, line []game.Move) []string {
	out := make([]string, 0, len(line))
	for _, m := range line {
		out = append(out, s.MoveString(m))
		s.Play(m)
	}
	for range line {
		s.Undo()
	}
	return out
}
