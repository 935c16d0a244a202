package report

import (
	"cmp"
	"fmt"
	"math"
)

// Row is a named figure with its interval.
type Row struct {
	Name             string
	Value, Low, High float64
	Text             string // the figure as it is read: "1.2 (0.8 to 1.7)"; "" prints the value
	Color            int    // from 1 on; 0: by its place
	Missing          bool   // there is no figure: Text says why
}

// Rows are named figures, one below the other over a common axis: each has its name
// and its figure above its mark, so nothing needs a legend.
type Rows struct {
	Title, XLabel string
	Rows          []Row
	Level         *float64 // draw a vertical line: nothing lost, an even score
	XMin, XMax    *float64 // the axis reaches at least so far

	// Compact rows are one line each, the name left of the mark, and no figure.
	Compact bool
}

// Heights of a row in pixels.
const (
	rowHeight     = 38.0
	compactHeight = 19.0
)

func (r Rows) plot() (drawing, error) {
	const width = defaultWidth
	var p canvas
	left, right, height := 10.0, 10.0, rowHeight
	y := p.title(r.Title, width)
	lo, hi, err := r.bounds()
	if err != nil {
		return drawing{}, err
	}
	names := left
	if r.Compact {
		left, height = r.nameStrip(width), compactHeight
	}
	scale := axis{lo, hi, left, width - right}
	ticks := niceTicks(lo, hi, 5)
	if r.Compact {
		ticks = niceTicks(lo, hi, 3)
	}
	bottom := y + height*float64(len(r.Rows)) + 4
	for _, t := range ticks {
		label := thousands(tickLabel(t))
		p.text(clamp(scale.at(t), left+8, width-textWidth(label, tickSize)/2-2), bottom+lineStep-1, tickSize, "middle", "var(--soft)", false, label)
	}
	for i, row := range r.Rows {
		if r.Compact {
			r.compact(&p, scale, ticks, names, y+height/2, row)
			y += height
			continue
		}
		color := ink(row.Color)
		if row.Color == 0 {
			color = ink(i + 1)
		}
		text := grouped(cmp.Or(row.Text, tickLabel(row.Value)))
		p.text(left, y+lineStep, textSize, "start", color, true, row.Name)
		mark := y + lineStep + 11
		if row.Missing {
			p.text(left, mark+4, tickSize, "start", "var(--soft)", false, text)
		} else {
			p.text(width-right, y+lineStep, tickSize, "end", "var(--ink)", false, text)
			r.ticks(&p, scale, ticks, mark)
			p.line(scale.at(row.Low), mark, scale.at(row.High), mark, color, 2, "")
			p.glyph(scale.at(row.Value), mark, 1, color)
		}
		y += rowHeight
	}
	y = bottom + lineStep
	for _, l := range wrap(r.XLabel, tickSize, width-left-right) {
		y += lineStep
		p.text(left, y-1, tickSize, "start", "var(--soft)", false, l)
	}
	return drawing{named(r.Title, r.XLabel), width, y + 8, p.Elements()}, nil
}

// nameStrip is where the names of compact rows end: at most half of the width.
func (r Rows) nameStrip(width float64) float64 {
	strip := 0.0
	for _, row := range r.Rows {
		strip = math.Max(strip, textWidth(row.Name, tickSize))
	}
	return math.Min(strip+24, width/2)
}

// compact draws a row whose middle is y.
func (r Rows) compact(p *canvas, scale axis, ticks []float64, left, y float64, row Row) {
	p.text(left, y+4, tickSize, "start", "var(--ink)", false, shortened(row.Name, scale.from-left-8))
	if row.Missing {
		p.text(scale.from, y+4, tickSize, "start", "var(--soft)", false, row.Text)
		return
	}
	r.ticks(p, scale, ticks, y)
	color := ink(max(row.Color, 1))
	p.line(scale.at(row.Low), y, scale.at(row.High), y, color, 2, "")
	p.glyph(scale.at(row.Value), y, 1, color)
}

// shortened is a name that fits into room pixels, with an ellipsis where it was cut.
func shortened(name string, room float64) string {
	runes := []rune(name)
	for textWidth(string(runes), tickSize) > room && len(runes) > 1 {
		runes = runes[:len(runes)-1]
	}
	if len(runes) < len([]rune(name)) {
		runes[len(runes)-1] = '…'
	}
	return string(runes)
}

func (r Rows) ticks(p *canvas, scale axis, ticks []float64, y float64) {
	for _, t := range ticks {
		p.line(scale.at(t), y-7, scale.at(t), y+7, "var(--grid)", 1, "")
	}
	if r.Level != nil {
		p.line(scale.at(*r.Level), y-7, scale.at(*r.Level), y+7, "var(--soft)", 1.5, "")
	}
}

// bounds are the ends of the axis.
func (r Rows) bounds() (lo, hi float64, err error) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, row := range r.Rows {
		if row.Missing {
			continue
		}
		for _, v := range []float64{row.Value, row.Low, row.High} {
			if v-v != 0 {
				return 0, 0, fmt.Errorf("plot %q, row %q: %v is not finite", r.Title, row.Name, v)
			}
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	for _, v := range []*float64{r.Level, r.XMin, r.XMax} {
		if v != nil {
			lo, hi = math.Min(lo, *v), math.Max(hi, *v)
		}
	}
	lo, hi = widened(lo, hi)
	return lo, hi, nil
}
