package report

import (
	"cmp"
	"fmt"
	"math"

	"plyfit/internal/svg"
	"plyfit/internal/text"
)

// A Row is a named figure with its interval.
type Row struct {
	Name             string
	Value, Low, High float64
	Text             string // figure as shown, as in "1.2 (0.8 to 1.7)"
	Color            int    // number of the colour, from 1; 0 selects it by position
	Missing          bool   // whether there is no figure, in which case Text is the reason
}

// Rows is a plot of named figures, one below another, on a common axis. Unless Compact is set, each
// row shows its name and figure above its mark, so no legend is needed.
type Rows struct {
	Title, XLabel string
	Rows          []Row
	Level         *float64 // position of a vertical line, such as no loss or an even score; nil for no line
	XMin, XMax    *float64 // values that the axis must include; nil for none
	Compact       bool     // one line per row, with the name on the left and without the figure
}

func (r Rows) draw(p *panel) error {
	x, names := newAxis(), 0.0
	for _, row := range r.Rows {
		names = math.Max(names, svg.TextWidth(row.Name, tickSize))
		if row.Missing {
			continue
		}
		if err := x.reach(row.Value, row.Low, row.High); err != nil {
			return fmt.Errorf("plot %q, row %q: %w", r.Title, row.Name, err)
		}
	}
	x.close(r.Level, r.XMin, r.XMax)
	x.from, x.to = edge, panelWidth-edge
	height, middle, n := 38.0, 26.0, 5
	if r.Compact {
		height, middle, n = 19, 9.5, 3
		x.from = math.Min(names+24, panelWidth/2)
	}
	p.begin(r.Title, r.XLabel)
	ticks := x.ticks(n)
	bottom := p.y + height*float64(len(r.Rows)) + 4
	p.marks(x, ticks, bottom-3, 0, x.from+8)
	for i, row := range r.Rows {
		y, color := p.y+middle, ink(cmp.Or(row.Color, i+1))
		if r.Compact {
			p.text(edge, y+4, tickSize, "start", "var(--ink)", shortened(row.Name, x.from-edge-8))
		} else {
			p.text(edge, p.y+lineStep, textSize, "start", color, row.Name, bold...)
		}
		p.y += height
		if row.Missing {
			p.note(x.from, y+4, "start", row.Text)
			continue
		}
		if !r.Compact {
			p.text(x.to, y-11, tickSize, "end", "var(--ink)", text.Grouped(row.Text))
		}
		for _, t := range ticks {
			p.Line(x.at(t), y-7, x.at(t), y+7, 1, "var(--grid)")
		}
		if r.Level != nil {
			p.Line(x.at(*r.Level), y-7, x.at(*r.Level), y+7, 1.5, "var(--soft)")
		}
		p.Line(x.at(row.Low), y, x.at(row.High), y, 2, color)
		p.glyph(x.at(row.Value), y, 1, color)
	}
	p.y = bottom + lineStep + 2
	p.paragraph(x.from, r.XLabel)
	p.y += 6
	return nil
}

// shortened returns name, truncated with an ellipsis if it is wider than room pixels.
func shortened(name string, room float64) string {
	runes := []rune(name)
	for svg.TextWidth(string(runes), tickSize) > room && len(runes) > 1 {
		runes = runes[:len(runes)-1]
	}
	if len(runes) < len([]rune(name)) {
		runes[len(runes)-1] = '…'
	}
	return string(runes)
}
