package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// Page is a report from top to bottom.
type Page struct {
	Title  string
	Lead   string // one or two sentences under the title
	Blocks []Block
}

// Block is one piece of a page: [Heading], [Text], [List], [Table], [Figure]
// or [Code].
type Block interface{ block() }

// Heading begins a section.
type Heading string

// Text is a paragraph.
type Text string

// List is a list of sentences.
type List []string

// Code is text with its line breaks kept: a command, a printed answer.
type Code string

// Table is a grid of text. Columns that hold numbers are set flush right.
type Table struct {
	Caption string // what it shows and what its figures mean, in one or two sentences
	Head    []string
	Rows    [][]string
	Words   int // so many columns from the left hold words, at least 1; one headed "note" does, too
}

// holdsWords reports whether a column is set flush left.
func (t Table) holdsWords(column int) bool {
	return column < max(t.Words, 1) || t.Head[column] == "note"
}

// Figure is a picture with its caption.
type Figure struct {
	Name    string // of its file, where it stands in one of its own: "calibration"
	Caption string
	SVG     []byte
}

func (Heading) block() {}
func (Text) block()    {}
func (List) block()    {}
func (Code) block()    {}
func (Table) block()   {}
func (Figure) block()  {}

// Add appends blocks.
func (p *Page) Add(b ...Block) { p.Blocks = append(p.Blocks, b...) }

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"kind": func(b Block) string { return strings.TrimPrefix(fmt.Sprintf("%T", b), "report.") },
	"svg":  func(b []byte) template.HTML { return template.HTML(inline(string(b))) },
	"class": func(t Table, column int) string {
		if t.holdsWords(column) {
			return "words"
		}
		return "number"
	},
}).Parse(pageHTML))

// inline is an SVG file as it stands inside a page: without its XML prologue.
func inline(svg string) string {
	if i := strings.Index(svg, "<svg"); i >= 0 {
		return svg[i:]
	}
	return svg
}

// HTML writes the page as one file that needs no other.
func (p *Page) HTML(w io.Writer) error { return pageTemplate.Execute(w, p) }

// Markdown writes the page for a place that shows Markdown; its figures are
// links to NAME.svg in the folder figures, which the caller writes.
func (p *Page) Markdown(w io.Writer, figures string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", p.Title, p.Lead)
	for _, block := range p.Blocks {
		b.WriteByte('\n')
		switch v := block.(type) {
		case Heading:
			fmt.Fprintf(&b, "## %s\n", v)
		case Text:
			fmt.Fprintf(&b, "%s\n", v)
		case List:
			for _, item := range v {
				fmt.Fprintf(&b, "- %s\n", item)
			}
		case Code:
			fmt.Fprintf(&b, "```\n%s\n```\n", strings.TrimRight(string(v), "\n"))
		case Table:
			markdownTable(&b, v)
		case Figure:
			fmt.Fprintf(&b, "![%s](%s)\n\n%s\n", v.Name, figures+"/"+v.Name+".svg", v.Caption)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownTable(b *strings.Builder, t Table) {
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	line := func(cells []string) {
		for _, c := range cells {
			fmt.Fprintf(b, "| %s ", cell(c))
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
