package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/internal/report"
	"plyfit/internal/terminal"
	"plyfit/internal/text"
)

// printf prints to standard output. A write error counts as a failure of the run, not as bad input.
func (a *App) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(a.Stdout, format, args...)
	return proc.Failure(err)
}

// WriteJSON writes v to w as one line of JSON.
func WriteJSON(w io.Writer, v any) error {
	line, err := disk.Line(v)
	if err == nil {
		_, err = w.Write(line)
	}
	return proc.Failure(err)
}

// printResult prints a result as text or JSON.
func printResult(w io.Writer, r interface{ Text() string }, asJSON bool) error {
	if asJSON {
		return WriteJSON(w, r)
	}
	_, err := io.WriteString(w, r.Text())
	return proc.Failure(err)
}

func (a *App) printManifest(m *datasets.Manifest, asJSON bool) error {
	if asJSON {
		return WriteJSON(a.Stdout, m)
	}
	_, err := fmt.Fprintf(a.Stdout, "%s: %d episodes (%d distinct, %d cut off), %d records in %s, seed %d\ndigest %s\n",
		m.Game, m.Episodes, m.Distinct, m.Truncated, m.Records, text.Counted(len(m.Shards), "shard"), m.Seed, m.Digest)
	if err == nil && m.Repeated > 0 {
		_, err = fmt.Fprintf(a.Stdout, "%d of %d episodes have the same start as an earlier episode, because no new opening was found or a proven start was replaced\n", m.Repeated, m.Episodes)
	}
	return proc.Failure(err)
}

func (a *App) printBlocks(blocks ...report.Block) error {
	return proc.Failure(report.Print(a.Stdout, blocks...))
}

// withoutColumn removes a column of t. It modifies t's rows.
func withoutColumn(t report.Table, column int) report.Table {
	t.Head = slices.Delete(t.Head, column, column+1)
	for i, row := range t.Rows {
		t.Rows[i] = slices.Delete(row, column, column+1)
	}
	if column < t.Words {
		t.Words--
	}
	return t
}

// tellSkips prints the first twenty skipped items, one per line. Unless its last argument is empty,
// it also prints the number of remaining items, followed by that text.
func tellSkips[E error](a *App, skipped []E, more string) {
	const most = 20
	for _, err := range skipped[:min(most, len(skipped))] {
		fmt.Fprintf(a.Stderr, "skipped: %s\n", terminal.OneLine(err.Error()))
	}
	if n := len(skipped) - most; n > 0 && more != "" {
		fmt.Fprintf(a.Stderr, "and %d more (%s)\n", n, more)
	}
}

// wrapped breaks text into lines of at most 80 characters.
func wrapped(text string) string {
	var out strings.Builder
	game.WrapWords(&out, strings.Fields(text), 80)
	return strings.TrimSuffix(out.String(), "\n")
}
