package report

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"

	"plyfit/internal/list"
	"plyfit/internal/svg"
)

// Figure is a picture with its caption. [NewFigure] makes one of panels that a page
// arranges by its width: side by side on a screen, one below the other on a phone.
type Figure struct {
	Name    string // of its file, where it stands in one of its own: "calibration"
	Title   string
	Caption string
	SVG     []byte          // the whole picture as a file
	Panels  []template.HTML // as svg elements, for a page that holds the [Palette]
}

// Plot is a panel of a figure: a [Chart], [Rows], [Heat], [Pattern] or [Board].
type Plot interface{ draw(p *panel) error }

// NewFigure draws panels under a common title, where it is not "".
func NewFigure(name, title, caption string, plots ...Plot) (Figure, error) {
	f := Figure{Name: name, Title: title, Caption: caption}
	var panels []*panel
	for _, plot := range plots {
		p := &panel{}
		if err := plot.draw(p); err != nil {
			return f, err
		}
		panels, f.Panels = append(panels, p), append(f.Panels, template.HTML(p.element()))
	}
	f.SVG = whole(title, panels)
	return f, nil
}

// whole returns a figure as a file, with the style that it needs: two panels side by side.
func whole(title string, panels []*panel) []byte {
	const abreast, margin, size = 2, 8.0, textSize + 2
	width := panelWidth * float64(min(len(panels), abreast))
	name := title
	var p panel
	if title == "" {
		name = strings.Join(list.Map(panels, func(d *panel) string { return d.name }), "; ")
	} else {
		for _, l := range wrap(title, size, width-2*margin) {
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
