package report

import (
	"html"
	"strconv"
	"strings"

	"plyfit/internal/svg"
)

// Palette is the style of figures: colours that keep apart for colour-blind readers (after Okabe
// and Ito, darkened until labels in them are legible), on light and on dark ground. A page that
// shows [Figure.Panels] holds it once, a figure in a file of its own holds it, too.
const Palette = `:root{--c1:#0068a3;--c2:#b04600;--c3:#007050;--c4:#a03c79;--c5:#7d5800;--c6:#5353a8;--c7:#444b55;--ink:#1b2330;--soft:#505b6b;--grid:#d3d9e2}` +
	`@media (prefers-color-scheme:dark){:root{--c1:#7db8f5;--c2:#ff9a5c;--c3:#3fcf9f;--c4:#eb9fcb;--c5:#e9b949;--c6:#b3b3f5;--c7:#cdd2d9;--ink:#e8ecf3;--soft:#a9b4c4;--grid:#364152}}` +
	`@media print{:root{--c1:#0072b2;--c2:#b84a00;--c3:#007a57;--c4:#a8417f;--c5:#8a6100;--c6:#5b5bb0;--c7:#444b55;--ink:#000;--soft:#333;--grid:#ddd}}` + svg.TreeStyle

const colors = 7

// fonts are the reader's own.
const fonts = `system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif`

// Sizes of text in a figure, in pixels.
const (
	textSize = 13.0
	tickSize = 12.0
	lineStep = 15.0 // from one line of text to the next
)

type canvas struct{ svg.Picture }

// ink is a colour by its number, from 1 on.
func ink(color int) string {
	return "var(--c" + strconv.Itoa((color-1)%colors+1) + ")"
}

// text writes a line of text; anchor is start, middle or end.
func (p *canvas) text(x, y, size float64, anchor, fill string, bold bool, s string) {
	more := []string{"text-anchor", anchor}
	if bold {
		more = append(more, "font-weight", "600")
	}
	p.Text(x, y, size, fill, s, more...)
}

func (p *canvas) line(x1, y1, x2, y2 float64, stroke string, width float64, dashes string) {
	var more []string
	if dashes != "" {
		more = []string{"stroke-dasharray", dashes}
	}
	p.Line(x1, y1, x2, y2, width, stroke, more...)
}

// inset is a picture within this one.
func (p *canvas) inset(x, y, width, height float64, elements string) {
	p.Add(`<svg x="` + svg.Number(x) + `" y="` + svg.Number(y) + `" width="` + svg.Number(width) + `" height="` + svg.Number(height) + `">` + elements + `</svg>`)
}

// glyph marks a point; shapes tell series of one colour apart.
func (p *canvas) glyph(x, y float64, shape int, color string) {
	const r = 3.4
	fill := color
	if (shape-1)%6 > 2 {
		fill = "none"
	}
	switch (shape - 1) % 3 {
	case 0:
		p.Circle(x, y, r, fill, "stroke", color, "stroke-width", "1.4")
	case 1:
		p.Rect(x-r, y-r, 2*r, 2*r, 0, fill, "stroke", color, "stroke-width", "1.4")
	case 2:
		p.Path("M"+svg.Point(x, y-r-1)+"L"+svg.Point(x+r+1, y+r)+"L"+svg.Point(x-r-1, y+r)+"Z", fill, "stroke", color, "stroke-width", "1.4")
	}
}

// textWidth is about how wide a line of text is; a reader's font may differ by a tenth.
func textWidth(s string, size float64) float64 {
	w := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("iljtfr.,'|:;()[] ", r):
			w += 0.34
		case strings.ContainsRune("mwMW%@", r):
			w += 0.88
		case r >= 'A' && r <= 'Z':
			w += 0.68
		default:
			w += 0.57
		}
	}
	return w * size
}

// wrap breaks a text at spaces into lines not wider than room, where its words are short enough.
func wrap(s string, size, room float64) []string {
	var lines []string
	for _, word := range strings.Fields(s) {
		if n := len(lines); n > 0 && textWidth(lines[n-1]+" "+word, size) <= room {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

type drawing struct {
	name          string // what it shows, for who cannot see it
	width, height float64
	body          string
}

// svg is the panel as it stands inside a page, on one line.
func (d drawing) svg() string {
	return `<svg viewBox="0 0 ` + svg.Number(d.width) + ` ` + svg.Number(d.height) + `" role="img" aria-label="` + html.EscapeString(d.name) + `" font-family="` + fonts + `">` + d.body + `</svg>`
}
