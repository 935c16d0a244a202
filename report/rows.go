package report

import (
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
	Width         float64  // pixels; 0: 380
}

const rowHeight = 38.0

// SVG draws the rows.
func (r Rows) SVG() ([]byte, error) { return single(r) }

// single is a plot as a file of its own.
func single(p Plot) ([]byte, error) {
	d, err := p.plot()
	if err != nil {
		return nil, err
	}
	return whole("", []drawing{d}), nil
}

func (r Rows) plot() (drawing, error) {
	width := r.Width
	if width == 0 {
		width = defaultWidth
	}
	var p canvas
	const left, right = 10.0, 10.0
	y := p.title(r.Title, width)
	lo, hi, err := r.bounds()
	if err != nil {
		return drawing{}, err
	}
	scale := axis{lo, hi, left, width - right}
	ticks := niceTicks(lo, hi, 5)
	bottom := y + rowHeight*float64(len(r.Rows)) + 4
	for _, t := range ticks {
		p.text(clamp(scale.at(t), left+8, width-right-8), bottom+lineStep-1, tickSize, "middle", "var(--soft)", false, tickLabel(t))
	}
	for i, row := range r.Rows {
		color := ink(row.Color)
		if row.Color == 0 {
			color = ink(i + 1)
		}
		text := row.Text
		if text == "" {
			text = tickLabel(row.Value)
		}
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
	return drawing{width, y + 8, p.String()}, nil
}

// ticks draws the marks of the axis behind a row, where no text stands.
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
