package report

import (
	"html"
	"strings"

	"plyfit/internal/list"
	"plyfit/internal/svg"
)

// Figure is a picture with its caption. [NewFigure] makes one of panels that a page
// arranges by its width: side by side on a screen, one below the other on a phone.
type Figure struct {
	Name    string // of its file, where it stands in one of its own: "calibration"
	Caption string
	SVG     []byte // the whole picture as a file

	title  string
	panels []string // as they stand inside a page
}

// Plot is a panel of a figure: a [Chart] or [Rows].
type Plot interface{ plot() (drawing, error) }

// NewFigure draws panels under a common title, where it is not "".
func NewFigure(name, title, caption string, plots ...Plot) (Figure, error) {
	f := Figure{Name: name, Caption: caption, title: title}
	var drawn []drawing
	for _, p := range plots {
		d, err := p.plot()
		if err != nil {
			return f, err
		}
		drawn = append(drawn, d)
		f.panels = append(f.panels, d.svg())
	}
	f.SVG = whole(title, drawn)
	return f, nil
}

// abreast is how many panels stand side by side.
const abreast = 2

// whole is a figure as a file of its own, with the style that it needs.
func whole(title string, panels []drawing) []byte {
	var width, top float64
	const margin = 8.0
	for i := 0; i < len(panels); i += abreast {
		row := 0.0
		for _, d := range panels[i:min(i+abreast, len(panels))] {
			row += d.width
		}
		width = max(width, row)
	}
	var p canvas
	if title != "" {
		for _, l := range wrap(title, textSize+2, width-2*margin) {
			top += lineStep + 4
			p.text(margin, top, textSize+2, "start", "var(--ink)", true, l)
		}
		top += 10
	}
	for i := 0; i < len(panels); i += abreast {
		left, height := 0.0, 0.0
		for _, d := range panels[i:min(i+abreast, len(panels))] {
			p.inset(left, top, d.width, d.height, d.body)
			p.Add("\n")
			left, height = left+d.width, max(height, d.height)
		}
		top += height
	}
	names := list.Map(panels, func(d drawing) string { return d.name })
	if title != "" {
		names = []string{title}
	}
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="` + html.EscapeString(strings.Join(names, "; ")) + `" viewBox="0 0 ` + svg.Number(width) + ` ` + svg.Number(top) + `" width="` + svg.Number(width) + `" height="` + svg.Number(top) + `" font-family="` + fonts + `"><style>` + Palette + "</style>\n" + p.Elements() + "</svg>\n")
}

// Panels are the figure's svg elements as they stand inside a page that holds the [Palette].
func (f Figure) Panels() []string { return f.panels }
