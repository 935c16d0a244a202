package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"strings"
)

// Page is a report from top to bottom.
type Page struct {
	Title  string
	Lead   string // one or two sentences under the title
	Blocks []Block
}

// Block is one piece of a page: [Heading], [Text], [List], [Table], [Figure],
// [Code], [Contents] or [Details].
type Block interface{ block() }

// Heading begins a section.
type Heading string

// Text is a paragraph.
type Text string

// List is a list of sentences.
type List []string

// Code is text with its line breaks kept: a command, a printed answer.
type Code string

// Details are blocks that a reader unfolds; in print they are open.
type Details struct {
	Summary string // what is in them, always shown
	Blocks  []Block
}

// Add appends blocks.
func (d *Details) Add(b ...Block) { d.Blocks = append(d.Blocks, b...) }

// Contents is a list of the headings and details that follow, each a link.
type Contents struct{}

func (Details) block()  {}
func (Contents) block() {}
func (Heading) block()  {}
func (Text) block()     {}
func (List) block()     {}
func (Code) block()     {}
func (Table) block()    {}
func (Figure) block()   {}

// Add appends blocks.
func (p *Page) Add(b ...Block) { p.Blocks = append(p.Blocks, b...) }

// AddFigure appends a figure where ok, and hands back err.
func (p *Page) AddFigure(f Figure, ok bool, err error) error {
	if ok && err == nil {
		p.Add(f)
	}
	return err
}

// leastSorted is how many rows a table has at least whose reader may sort it.
const leastSorted = 5

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"kind":    func(b Block) string { return strings.TrimPrefix(fmt.Sprintf("%T", b), "report.") },
	"panels":  func(f Figure) template.HTML { return template.HTML(strings.Join(f.Panels(), "\n")) },
	"title":   func(f Figure) string { return f.title },
	"palette": func() template.CSS { return Palette },
	"anchor":  func(text any) string { return anchor(fmt.Sprint(text)) },
	"cell": func(t Table, column int, text string) string {
		if t.holdsWords(column) {
			return text
		}
		return grouped(text)
	},
	"doc": func(t Table, row, column int) string {
		if column > 0 || row >= len(t.Docs) {
			return ""
		}
		return strings.ReplaceAll(t.Docs[row], "`", "")
	},
	"link": func(t Table, row, column int) string {
		if row >= len(t.Links) || column != max(t.Words, 1)-1 {
			return ""
		}
		return (&url.URL{Path: t.Links[row]}).String()
	},
	"sortable": func(t Table) bool { return len(t.Rows) >= leastSorted },
	"class": func(t Table, column int) string {
		if t.holdsWords(column) {
			return "w"
		}
		return "n"
	},
}).Parse(pageHTML))

// anchor is the name of a heading in links.
func anchor(text string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r == ' ', r == '-':
			return '-'
		}
		return -1
	}, text), "-")
}

// Headings are what the table of contents lists: the headings and details after it.
func (p *Page) Headings() (list []string) {
	for _, b := range p.Blocks {
		switch v := b.(type) {
		case Contents:
			list = nil
		case Heading:
			list = append(list, string(v))
		case Details:
			list = append(list, v.Summary)
		}
	}
	return list
}

// HTML writes the page as one file that needs no other.
func (p *Page) HTML(w io.Writer) error { return pageTemplate.Execute(w, p) }

// Markdown writes the page for a place that shows Markdown; its figures are
// links to NAME.svg in the folder figures, which the caller writes.
func (p *Page) Markdown(w io.Writer, figures string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", p.Title, p.Lead)
	p.markdown(&b, p.Blocks, figures)
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *Page) markdown(b *strings.Builder, blocks []Block, figures string) {
	for _, block := range blocks {
		b.WriteByte('\n')
		switch v := block.(type) {
		case Heading:
			fmt.Fprintf(b, "## %s\n", v)
		case Text:
			fmt.Fprintf(b, "%s\n", v)
		case List:
			for _, item := range v {
				fmt.Fprintf(b, "- %s\n", item)
			}
		case Code:
			fmt.Fprintf(b, "```\n%s\n```\n", strings.TrimRight(string(v), "\n"))
		case Table:
			v.markdown(b)
		case Figure:
			name := v.Name
			if v.title != "" {
				name = v.title
			}
			fmt.Fprintf(b, "![%s](%s)\n\n%s\n", name, figures+"/"+v.Name+".svg", v.Caption)
		case Details: // Markdown folds nothing
			fmt.Fprintf(b, "## %s\n", v.Summary)
			p.markdown(b, v.Blocks, figures)
		case Contents:
			for _, h := range p.Headings() {
				fmt.Fprintf(b, "- [%s](#%s)\n", h, anchor(h))
			}
		}
	}
}
