package report

import (
	"fmt"
	"math"
	"strconv"
)

// Heat is a grid of numbers on grounds as strong as they are large, a colour for each sign.
type Heat struct {
	Title   string
	Values  [][]float64 // rows from top to bottom; NaN: the cell is empty
	Rows    []string    // names beside the rows; nil: none
	Columns []string    // names below the columns; nil: none
	Most    float64     // the number of the strongest ground, for panels to compare; 0: the largest here
}

// strongest is the opacity of the strongest ground: text over it is legible (4.5 to 1) on
// the grounds of pages and reports, light and dark.
const strongest = 0.46

func (h Heat) plot() (drawing, error) {
	const width = defaultWidth
	columns, most := 0, h.Most
	for _, row := range h.Values {
		columns = max(columns, len(row))
		for _, v := range row {
			if math.IsInf(v, 0) {
				return drawing{}, fmt.Errorf("plot %q: %v is not finite", h.Title, v)
			}
			if h.Most == 0 && v == v {
				most = math.Max(most, math.Abs(v))
			}
		}
	}
	if columns == 0 {
		return drawing{}, fmt.Errorf("plot %q: no cells", h.Title)
	}
	var p canvas
	top, left := p.title(h.Title, width)+2, 10.0
	for _, name := range h.Rows {
		left = math.Max(left, textWidth(name, tickSize)+18)
	}
	cell := (width - left - 10) / float64(columns)
	height := math.Min(cell, 34)
	size := math.Min(tickSize, math.Max(8, cell/3.4))
	for i, row := range h.Values {
		y := top + height*float64(i)
		if i < len(h.Rows) {
			p.text(left-6, y+height/2+4, tickSize, "end", "var(--soft)", false, h.Rows[i])
		}
		for k, v := range row {
			h.cell(&p, left+cell*float64(k), y, cell, height, size, v, most)
		}
	}
	end := top + height*float64(len(h.Values))
	for k, name := range h.Columns {
		p.text(left+cell*(float64(k)+0.5), end+lineStep, tickSize, "middle", "var(--soft)", false, name)
	}
	if h.Columns != nil {
		end += lineStep
	}
	return drawing{h.Title, width, end + 10, p.Elements()}, nil
}

func (h Heat) cell(p *canvas, x, y, width, height, size, v, most float64) {
	fill, opacity := "none", 0.0
	switch {
	case v > 0:
		fill, opacity = ink(1), strongest*math.Min(1, v/most)
	case v < 0:
		fill, opacity = ink(2), strongest*math.Min(1, -v/most)
	}
	p.Rect(x, y, width, height, 0, fill, "fill-opacity", strconv.FormatFloat(opacity, 'f', 2, 64), "stroke", "var(--grid)")
	if v == v && v != 0 {
		p.text(x+width/2, y+height/2+4, size, "middle", "var(--ink)", false, short(v))
	}
}

func short(x float64) string {
	text := strconv.FormatFloat(x, 'g', 2, 64)
	if v, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(v) >= 0.001 && math.Abs(v) < 1e5 {
		text = strconv.FormatFloat(v, 'f', -1, 64)
	}
	if len(text) > 1 && text[0] == '0' && text[1] == '.' {
		return text[1:]
	}
	if len(text) > 2 && text[:3] == "-0." {
		return "-" + text[2:]
	}
	return text
}
