package report

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"plyfit/internal/text"
)

// A Table is a grid of text. Columns of numbers are right-aligned.
type Table struct {
	Caption string // description of the table and its figures, in one or two sentences
	Head    []string
	Rows    [][]string
	Docs    []string // explanation of each row's first cell, shown only in a page; nil for none
	Links   []string // file to which the last column of words links in each row, only in a page; nil for none
	Words   int      // number of left-aligned columns on the left, at least 1; a column headed "note" is also left-aligned
}

// holdsWords reports whether a column is left-aligned.
func (t Table) holdsWords(column int) bool {
	return column < max(t.Words, 1) || t.Head[column] == "note"
}

// Format is an output format of tables for papers and other programs. "" means none.
type Format string

// Output formats of tables.
const (
	CSV      Format = "csv"
	Markdown Format = "markdown"
	LaTeX    Format = "latex" // requires the package booktabs
)

// WriteTables writes tables in the given format, separated by empty lines. CSV contains the heads
// and rows; Markdown and LaTeX also contain the captions.
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

// Print writes [Table.String] to a terminal.
func (t Table) Print(w io.Writer) error {
	_, err := io.WriteString(w, t.String())
	return err
}

// String returns the table with aligned columns.
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

// Count formats a whole number with commas between the thousands, as in 18,435.
func Count[T ~int | ~int64 | ~int32](n T) string {
	return text.Thousands(strconv.FormatInt(int64(n), 10))
}
