package report

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"plyfit/internal/text"
)

// Table is a grid of text. Columns that hold numbers are set flush right.
type Table struct {
	Caption string // what it shows and what its figures mean, in one or two sentences
	Head    []string
	Rows    [][]string
	Docs    []string // by row, what its first cell means: below it in a page, else nowhere; nil: nothing
	Links   []string // by row, the file that the last column of words leads to in a page, else nowhere; nil: none
	Words   int      // so many columns from the left hold words, at least 1; one headed "note" does, too
}

// holdsWords reports whether a column is set flush left.
func (t Table) holdsWords(column int) bool {
	return column < max(t.Words, 1) || t.Head[column] == "note"
}

// Format is a form of tables for papers and other programs; "" is none.
type Format string

// The forms of tables.
const (
	CSV      Format = "csv"
	Markdown Format = "markdown"
	LaTeX    Format = "latex" // with package booktabs
)

// WriteTables writes tables, an empty line between two of them: as CSV their heads and rows, as
// Markdown and LaTeX with their captions. Cells are as they are printed elsewhere.
func WriteTables(w io.Writer, f Format, tables ...Table) error {
	var b bytes.Buffer
	for i, t := range tables {
		if i > 0 {
			b.WriteByte('\n')
		}
		var err error
		if f == CSV {
			err = csv.NewWriter(&b).WriteAll(append([][]string{t.Head}, t.Rows...))
		} else {
			err = texts.ExecuteTemplate(&b, string(f), t)
		}
		if err != nil {
			return err
		}
	}
	_, err := b.WriteTo(w)
	return err
}

var latex = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">", `\textgreater{}`, "±", `\ensuremath{\pm}`, "−", `\ensuremath{-}`)

// Print writes [Table.String] for a terminal.
func (t Table) Print(w io.Writer) error {
	_, err := io.WriteString(w, t.String())
	return err
}

// String returns the table with its columns aligned.
func (t Table) String() string {
	lines := append([][]string{t.Head}, t.Rows...)
	widths := make([]int, len(t.Head))
	for _, cells := range lines {
		for i, c := range cells {
			widths[i] = max(widths[i], len([]rune(c)))
		}
	}
	var b strings.Builder
	for _, cells := range lines {
		line := ""
		for i, c := range cells {
			pad := strings.Repeat(" ", widths[i]-len([]rune(c)))
			if t.holdsWords(i) {
				line += c + pad + "  "
			} else {
				line += pad + c + "  "
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// Count is a whole number with commas between its thousands: 18,435.
func Count[T ~int | ~int64 | ~int32](n T) string {
	return text.Thousands(strconv.FormatInt(int64(n), 10))
}
