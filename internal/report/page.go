// Package report writes what a run found: one [Page] of headings, sentences, tables and figures, as a
// self-contained HTML file and as Markdown.
//
// The typical steps are:
//
//  1. Add blocks to a [Page]: [Heading], [Text], [List], [Table], [Code], and [Figure], whose picture a
//     [Chart] draws as SVG.
//  2. Write the page: Page.HTML for a browser, Page.Markdown for a place that shows Markdown. A single
//     table is printed for a terminal by [Table.Print].
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

// Page is a report from top to bottom.
type Page struct {
	Title string
	Lead  string // one or two sentences under the title
	Blocks
}

// Block is one piece of a page: [Heading], [Text], [List], [Table], [Figure],
// [Code], [Contents] or [Details].
type Block interface{ block() }

// Blocks are pieces of a page in their order.
type Blocks []Block

// Kinds of blocks.
type (
	Heading  string   // begins a section
	Text     string   // a paragraph
	List     []string // a list of sentences
	Code     string   // text with its line breaks kept: a command, a printed answer
	Contents struct{} // a list of the headings and details that follow, each a link
	Details  struct { // blocks that a reader unfolds; in print they are open
		Summary string // what is in them, always shown
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

// Add appends blocks, without texts and lists that are empty.
func (b *Blocks) Add(more ...Block) {
	for _, x := range more {
		if l, list := x.(List); x != Text("") && !(list && len(l) == 0) {
			*b = append(*b, x)
		}
	}
}

// AddFigure appends a figure where ok, and hands back err.
func (b *Blocks) AddFigure(f Figure, ok bool, err error) error {
	if ok && err == nil {
		b.Add(f)
	}
	return err
}

// The templates have a piece for each kind of block.
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

// unlinked matches what names of headings in links omit.
var unlinked = regexp.MustCompile(`[^a-z0-9-]`)

func anchor(heading string) string {
	return strings.Trim(unlinked.ReplaceAllString(strings.ReplaceAll(strings.ToLower(heading), " ", "-"), ""), "-")
}

// Headings lists the headings and details after the table of contents.
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

// HTML writes the page as one file that needs no other.
func (p *Page) HTML(w io.Writer) error { return pages.ExecuteTemplate(w, "page.html", p) }

// Markdown writes the page for a place that shows Markdown; its figures are
// links to NAME.svg in the folder figures, which the caller writes.
func (p *Page) Markdown(w io.Writer) error { return texts.ExecuteTemplate(w, "page", p) }

// Print writes blocks for a terminal, which shows no figures.
func Print(w io.Writer, blocks ...Block) error {
	var b bytes.Buffer
	if err := texts.ExecuteTemplate(&b, "terminal", blocks); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}
