package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
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

// Format is a form of tables for papers and other programs.
type Format string

const (
	asCSV      Format = "csv"
	asMarkdown Format = "markdown"
	asLaTeX    Format = "latex" // with package booktabs
)

// Formats are all of them, as users name them.
var Formats = []Format{asCSV, asMarkdown, asLaTeX}

// WriteTables writes tables, an empty line between two of them.
func WriteTables(w io.Writer, f Format, tables ...Table) error {
	for i, t := range tables {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := t.Write(w, f); err != nil {
			return err
		}
	}
	return nil
}

// Write writes the table: as CSV its head and rows, as Markdown and asLaTeX with the
// caption. Cells are as they are printed elsewhere.
func (t Table) Write(w io.Writer, f Format) error {
	var b strings.Builder
	switch f {
	case asCSV:
		out := csv.NewWriter(w)
		if err := out.Write(t.Head); err != nil {
			return err
		}
		return out.WriteAll(t.Rows)
	case asMarkdown:
		t.markdown(&b)
	case asLaTeX:
		t.latex(&b)
	default:
		return fmt.Errorf("report: no form of tables: %q", f)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t Table) markdown(b *strings.Builder) {
	line := func(cells []string) {
		for _, c := range cells {
			fmt.Fprintf(b, "| %s ", strings.ReplaceAll(c, "|", `\|`))
		}
		b.WriteString("|\n")
	}
	line(t.Head)
	for i := range t.Head {
		if t.holdsWords(i) {
			b.WriteString("|---")
		} else {
			b.WriteString("|--:")
		}
	}
	b.WriteString("|\n")
	for _, r := range t.Rows {
		line(r)
	}
	if t.Caption != "" {
		fmt.Fprintf(b, "\n%s\n", t.Caption)
	}
}

// latexText is text as asLaTeX sets it.
var latexText = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">", `\textgreater{}`, "±", `\ensuremath{\pm}`, "−", `\ensuremath{-}`)

func (t Table) latex(b *strings.Builder) {
	columns := ""
	for i := range t.Head {
		if t.holdsWords(i) {
			columns += "l"
		} else {
			columns += "r"
		}
	}
	line := func(cells []string) {
		for i, c := range cells {
			if i > 0 {
				b.WriteString(" & ")
			}
			b.WriteString(latexText.Replace(c))
		}
		b.WriteString(" \\\\\n")
	}
	fmt.Fprintf(b, "\\begin{table}\n\\begin{tabular}{%s}\n\\toprule\n", columns)
	line(t.Head)
	b.WriteString("\\midrule\n")
	for _, r := range t.Rows {
		line(r)
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	if t.Caption != "" {
		fmt.Fprintf(b, "\\caption{%s}\n", latexText.Replace(t.Caption))
	}
	b.WriteString("\\end{table}\n")
}

// Print writes a table for a terminal, columns aligned.
func (t Table) Print(w io.Writer) error {
	widths := make([]int, len(t.Head))
	for _, r := range append([][]string{t.Head}, t.Rows...) {
		for i, c := range r {
			widths[i] = max(widths[i], len([]rune(c)))
		}
	}
	var b strings.Builder
	line := func(cells []string) {
		var l strings.Builder
		for i, c := range cells {
			pad := strings.Repeat(" ", widths[i]-len([]rune(c)))
			if i > 0 {
				l.WriteString("  ")
			}
			if t.holdsWords(i) {
				l.WriteString(c + pad)
			} else {
				l.WriteString(pad + c)
			}
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	line(t.Head)
	for _, r := range t.Rows {
		line(r)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
