package cli

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/proc"
	"plyfit/internal/text"
)

func positionFlag(cmd *cobra.Command, position *string) {
	cmd.Flags().StringVarP(position, "position", "p", "", "position in the game's notation; -: read one position per line from standard input; default: the start")
}

// eachPosition calls a function for each position that the flag specifies: the start by default, a
// given position, or, for "-", each position on standard input.
func (a *App) eachPosition(w *catalog.World, flag string, visit func(s game.State) error) error {
	switch flag {
	case "":
		return visit(w.New())
	case "-":
	default:
		s, err := w.ParseLine(flag)
		if err != nil {
			return err
		}
		return visit(s)
	}
	const most = 16 << 20
	lines, n := text.NewScanner(a.Stdin, most), 1
	for ; lines.Scan(); n++ {
		text, ok := game.PositionLine(lines.Text())
		if !ok {
			continue
		}
		s, err := w.ParseLine(text)
		if err == nil {
			err = visit(s)
		}
		if err != nil {
			return fmt.Errorf("standard input, line %d: %w", n, err)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("standard input, line %d: want lines of at most %d bytes", n, most)
	} else if err != nil {
		return proc.Failure(fmt.Errorf("standard input: %w", err))
	}
	return nil
}
