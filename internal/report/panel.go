package report

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"plyfit/internal/list"
	"plyfit/internal/svg"
)

// Palette is the style sheet for figures. It has colours that colour-blind readers can distinguish
// (after Okabe and Ito, darkened until labels in them are legible), for light and dark backgrounds.
// A page that shows [Figure.Panels] must include it once. A figure in its own file includes it.
const Palette = `:root{--c1:#0068a3;--c2:#b04600;--c3:#007050;--c4:#a03c79;--c5:#7d5800;--c6:#5353a8;--c7:#444b55;--ink:#1b2330;--soft:#505b6b;--grid:#d3d9e2}` +
	`@media (prefers-color-scheme:dark){:root{--c1:#7db8f5;--c2:#ff9a5c;--c3:#3fcf9f;--c4:#eb9fcb;--c5:#e9b949;--c6:#b3b3f5;--c7:#cdd2d9;--ink:#e8ecf3;--soft:#a9b4c4;--grid:#364152}}` +
	`@media print{:root{--c1:#0072b2;--c2:#b84a00;--c3:#007a57;--c4:#a8417f;--c5:#8a6100;--c6:#5b5bb0;--c7:#444b55;--ink:#000;--soft:#333;--grid:#ddd}}` + svg.TreeStyle

const (
	colors = 7
	fonts  = `system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif`

	// Sizes in pixels. A phone shows a panel at its natural size.
	panelWidth = 380.0
	edge       = 10.0 // margin on the left and right of a panel
	textSize   = 13.0
	tickSize   = 12.0
	lineStep   = 15.0 // distance between lines of text
)

var bold = []string{"font-weight", "600"}

// A panel is a picture that is drawn from top to bottom.
type panel struct {
	svg.Picture
	name string  // description for readers who cannot see the panel
	y    float64 // top of the next part, and finally the height
}

// begin writes the title of a panel and sets the panel's name to the title and the label of its
// axis.
func (p *panel) begin(title, label string) {
	p.name = title + label
	if title != "" && label != "" {
		p.name = title + ": " + label
	}
	const wider = 1.15 // ratio of the widths of bold and plain text
	p.y = 8
	for _, l := range svg.Wrap(title, textSize, (panelWidth-2*edge)/wider) {
		p.y += lineStep + 1
		p.text(edge, p.y-3, textSize, "start", "var(--ink)", l, bold...)
	}
	p.y += 2
}

// paragraph writes text in lines from x to the right edge of the panel.
func (p *panel) paragraph(x float64, s string) {
	for _, l := range svg.Wrap(s, tickSize, panelWidth-edge-x) {
		p.y += lineStep
		p.note(x, p.y-3, "start", l)
	}
}

// text writes a line of text. Its anchor is "start", "middle" or "end".
func (p *panel) text(x, y, size float64, anchor, fill, s string, more ...string) {
	p.Text(x, y, size, fill, s, append([]string{"text-anchor", anchor}, more...)...)
}

// note writes a line of small text that is not data, such as a unit or the label of a tick.
func (p *panel) note(x, y float64, anchor, s string) {
	p.text(x, y, tickSize, anchor, "var(--soft)", s)
}

func (p *panel) inset(x, y, width, height float64, elements string) {
	p.Add(fmt.Sprintf(`<svg x="%s" y="%s" width="%s" height="%s">%s</svg>`, svg.Number(x), svg.Number(y), svg.Number(width), svg.Number(height), elements))
}

// glyph draws a point. The shape distinguishes series of the same colour.
func (p *panel) glyph(x, y float64, shape int, color string) {
	const r = 3.4
	fill := color
	if (shape-1)%6 > 2 {
		fill = "none"
	}
	stroke := []string{"stroke", color, "stroke-width", "1.4"}
	switch (shape - 1) % 3 {
	case 0:
		p.Circle(x, y, r, fill, stroke...)
	case 1:
		p.Rect(x-r, y-r, 2*r, 2*r, 0, fill, stroke...)
	case 2:
		p.Path("M"+svg.Point(x, y-r-1)+"L"+svg.Point(x+r+1, y+r)+"L"+svg.Point(x-r-1, y+r)+"Z", fill, stroke...)
	}
}

// ink returns the colour with the given number, counting from 1.
func ink(color int) string { return "var(--c" + strconv.Itoa((color-1)%colors+1) + ")" }

// A Board is a panel that shows a position as drawn by its game ([plyfit/game.Illustrator]).
type Board struct {
	Title string
	SVG   string // one svg element whose viewBox starts at 0 0
}

func (b Board) draw(p *panel) error {
	_, box, _ := strings.Cut(b.SVG, `viewBox="`)
	var x, y, w, h float64
	if n, _ := fmt.Sscanf(box, "%g %g %g %g", &x, &y, &w, &h); n != 4 || x != 0 || y != 0 || !(w > 0 && h > 0) {
		return fmt.Errorf("plot %q: want an svg element with a viewBox from 0 0", b.Title)
	}
	const width = panelWidth - 2*edge
	p.begin(b.Title, "")
	p.inset(edge, p.y+4, width, width*h/w, b.SVG)
	p.y += width*h/w + 14
	return nil
}

// A Figure is a picture with its caption. [NewFigure] creates one from panels, which a page
// arranges according to its width: side by side on a screen, one below another on a phone.
type Figure struct {
	Name    string // name of the figure's file without extension, such as "calibration"; "" if it has no file
	Title   string
	Caption string
	SVG     []byte          // complete picture as a file
	Panels  []template.HTML // panels as svg elements, for a page that includes the [Palette]
}

// A Plot is a panel of a figure: a [Chart], [Rows], [Heat], [Pattern] or [Board].
type Plot interface{ draw(p *panel) error }

// NewFigure draws panels under a common title. If title is empty, the figure has none.
func NewFigure(name, title, caption string, plots ...Plot) (Figure, error) {
	f := Figure{Name: name, Title: title, Caption: caption}
	var panels []*panel
	for _, plot := range plots {
		p := &panel{}
		if err := plot.draw(p); err != nil {
			return f, err
		}
		element := fmt.Sprintf(`<svg viewBox="0 0 %s %s" role="img" aria-label="%s" font-family="%s">%s</svg>`, svg.Number(panelWidth), svg.Number(p.y), html.EscapeString(p.name), fonts, p.Elements())
		panels, f.Panels = append(panels, p), append(f.Panels, template.HTML(element))
	}
	f.SVG = whole(title, panels)
	return f, nil
}

// whole returns a figure as a file that includes its style sheet. It arranges the panels in two
// columns.
func whole(title string, panels []*panel) []byte {
	const abreast, margin, size = 2, 8.0, textSize + 2
	width := panelWidth * float64(min(len(panels), abreast))
	name := title
	var p panel
	if title == "" {
		name = strings.Join(list.Map(panels, func(d *panel) string { return d.name }), "; ")
	} else {
		for _, l := range svg.Wrap(title, size, width-2*margin) {
			p.y += lineStep + 4
			p.text(margin, p.y, size, "start", "var(--ink)", l, bold...)
		}
		p.y += 10
	}
	for row := range slices.Chunk(panels, abreast) {
		height := 0.0
		for i, d := range row {
			p.inset(panelWidth*float64(i), p.y, panelWidth, d.y, d.Elements())
			p.Add("\n")
			height = max(height, d.y)
		}
		p.y += height
	}
	w, h := svg.Number(width), svg.Number(p.y)
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="%s" viewBox="0 0 %s %s" width="%s" height="%s" font-family="%s"><style>%s</style>%s%s</svg>%s`,
		html.EscapeString(name), w, h, w, h, fonts, Palette, "\n", p.Elements(), "\n")
}
