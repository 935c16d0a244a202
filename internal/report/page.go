// Package report writes the results of a run as one [Page] of headings, sentences, tables and
// figures. It writes a page as a self-contained HTML file or as Markdown.
//
// The typical steps are:
//
//  1. Add blocks to a [Page]: [Heading], [Text], [List], [Table], [Code] and [Figure]. The
//     picture of a Figure can be drawn as SVG by a [Chart].
//  2. Write the page with Page.HTML for a browser, or with Page.Markdown for a viewer of
//     Markdown. [Table.Print] prints a single table for a terminal.
package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"regexp"
	"strings"
	plaintext "text/template"

	"plyfit/internal/text"
)

// A Page is a report. Its blocks are in order from top to bottom.
type Page struct {
	Title string
	Lead  string // one or two sentences under the title
	Blocks
}

// A Block is part of a page: [Heading], [Text], [List], [Table], [Figure], [Code], [Contents] or
// [Details].
type Block interface{ block() }

// Blocks contains parts of a page in order.
type Blocks []Block

// Kinds of blocks.
type (
	Heading  string   // title of a section
	Text     string   // paragraph
	List     []string // bulleted list
	Code     string   // preformatted text, such as a command or printed output
	Contents struct{} // table of contents with links to the headings and details that follow
	Details  struct { // blocks that a reader can open; open in print
		Summary string // description that is always visible
		Blocks
	}
)

func (Details) block()  {}
func (Contents) block() {}
func (Heading) block()  {}
func (Text) block()     {}
func (List) block()     {}
func (Code) block()     {}
func (Table) block()    {}
func (Figure) block()   {}

// Add appends blocks. It omits empty texts and lists.
func (b *Blocks) Add(more ...Block) {
	for _, x := range more {
		if l, list := x.(List); x != Text("") && !(list && len(l) == 0) {
			*b = append(*b, x)
		}
	}
}

// AddFigure appends f if ok is true and err is nil. It returns err.
func (b *Blocks) AddFigure(f Figure, ok bool, err error) error {
	if ok && err == nil {
		b.Add(f)
	}
	return err
}

// The templates define the output for each kind of block.
var (
	//go:embed page.html page.txt
	files embed.FS
	pages = template.Must(template.New("").Funcs(funcs).ParseFS(files, "page.html"))
	texts = plaintext.Must(plaintext.New("").Funcs(funcs).ParseFS(files, "page.txt"))
	funcs = template.FuncMap{
		"kind":    func(b Block) string { return strings.TrimPrefix(fmt.Sprintf("%T", b), "report.") },
		"palette": func() template.CSS { return Palette },
		"anchor":  func(heading any) string { return anchor(fmt.Sprint(heading)) },
		"words":   Table.holdsWords,
		"grouped": text.Grouped,
		"latex":   latex.Replace,
		"aligned": Table.String,
		"plain":   func(doc string) string { return strings.ReplaceAll(doc, "`", "") },
		"trimmed": func(c Code) string { return strings.TrimRight(string(c), "\n") },
		"escaped": func(cell string) string { return strings.ReplaceAll(cell, "|", `\|`) },
		"link": func(t Table, row, column int) string {
			if row >= len(t.Links) || column != max(t.Words, 1)-1 {
				return ""
			}
			return (&url.URL{Path: t.Links[row]}).String()
		},
	}
)

// unlinked matches the characters of a heading that its link omits.
var unlinked = regexp.MustCompile(`[^a-z0-9-]`)

func anchor(heading string) string {
	return strings.Trim(unlinked.ReplaceAllString(strings.ReplaceAll(strings.ToLower(heading), " ", "-"), ""), "-")
}

// Headings returns the headings and the summaries of details. If there is a table of contents, only
// those after it are included.
func (b Blocks) Headings() (list []string) {
	for _, block := range b {
		switch v := block.(type) {
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

// HTML writes the page as one self-contained file.
func (p *Page) HTML(w io.Writer) error { return pages.ExecuteTemplate(w, "page.html", p) }

// Markdown writes the page as Markdown. Its figures are links to figures/NAME.svg; the caller
// writes these files.
func (p *Page) Markdown(w io.Writer) error { return texts.ExecuteTemplate(w, "page", p) }

// Print writes blocks to a terminal, without figures.
func Print(w io.Writer, blocks ...Block) error {
	var b bytes.Buffer
	if err := texts.ExecuteTemplate(&b, "terminal", blocks); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}
