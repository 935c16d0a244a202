package report

import (
	"fmt"
	"strings"
)

// Board is a panel that shows a position as its game draws it (game.Illustrator).
type Board struct {
	Title string
	SVG   string // one svg element with a viewBox that begins at 0 0
}

func (b Board) plot() (drawing, error) {
	_, box, _ := strings.Cut(b.SVG, `viewBox="`)
	var x, y, w, h float64
	if n, _ := fmt.Sscanf(box, "%g %g %g %g", &x, &y, &w, &h); n != 4 || x != 0 || y != 0 || !(w > 0 && h > 0) {
		return drawing{}, fmt.Errorf("plot %q: want an svg element with a viewBox from 0 0", b.Title)
	}
	const width = defaultWidth
	var p canvas
	top := p.title(b.Title, width) + 4
	height := (width - 20) * h / w
	p.inset(10, top, width-20, height, b.SVG)
	return drawing{b.Title, width, top + height + 10, p.Elements()}, nil
}
