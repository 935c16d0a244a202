package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"plyfit/internal/svg"
	"plyfit/internal/text"
)

// Heat is a grid of numbers. The colour of a cell's background shows the sign of its number, and
// its opacity is proportional to the absolute value.
type Heat struct {
	Title   string
	Values  [][]float64 // rows from top to bottom; NaN for an empty cell
	Rows    []string    // labels left of the rows; nil for none
	Columns []string    // labels below the columns; nil for none
	Most    float64     // number shown with the full colour, for comparisons between panels; 0 means the largest value
}

// strongest is the opacity of the full background colour. At this opacity, text remains legible
// (contrast 4.5 to 1) on the backgrounds of pages and reports, both light and dark.
const strongest = 0.46

// cell draws a cell. Its strength, from -1 to 1, selects the colour and opacity of the background.
// If strength is 0 or NaN, there is no background.
func (p *panel) cell(x, y, width, height, strength float64, stroke string) {
	fill, opacity := "none", 0.0
	switch {
	case strength > 0:
		fill, opacity = ink(1), strongest*math.Min(1, strength)
	case strength < 0:
		fill, opacity = ink(2), strongest*math.Min(1, -strength)
	}
	p.Rect(x, y, width, height, 0, fill, "fill-opacity", strconv.FormatFloat(opacity, 'f', 2, 64), "stroke", stroke)
}

func (h Heat) draw(p *panel) error {
	columns, most := 0, h.Most
	for _, row := range h.Values {
		columns = max(columns, len(row))
		for _, v := range row {
			if math.IsInf(v, 0) {
				return fmt.Errorf("plot %q: %v is not finite", h.Title, v)
			}
			if h.Most == 0 && v == v {
				most = math.Max(most, math.Abs(v))
			}
		}
	}
	if columns == 0 {
		return fmt.Errorf("plot %q: no cells", h.Title)
	}
	p.begin(h.Title, "")
	p.y += 2
	left := edge
	for _, name := range h.Rows {
		left = math.Max(left, svg.TextWidth(name, tickSize)+18)
	}
	cell := (panelWidth - left - edge) / float64(columns)
	height := math.Min(cell, 34)
	size := math.Min(tickSize, math.Max(8, cell/3.4))
	for i, row := range h.Values {
		if i < len(h.Rows) {
			p.note(left-6, p.y+height/2+4, "end", h.Rows[i])
		}
		for k, v := range row {
			x := left + cell*float64(k)
			p.cell(x, p.y, cell, height, v/most, "var(--grid)")
			if v == v && v != 0 {
				p.text(x+cell/2, p.y+height/2+4, size, "middle", "var(--ink)", text.Short(v))
			}
		}
		p.y += height
	}
	for k, name := range h.Columns {
		p.note(left+cell*(float64(k)+0.5), p.y+lineStep, "middle", name)
	}
	if h.Columns != nil {
		p.y += lineStep
	}
	p.y += 10
	return nil
}

// A Pattern is a panel that shows some cells of a board, and fillings of these cells, each with a
// number.
type Pattern struct {
	Title         string
	Rows, Columns int     // size of the board
	Cells         []int   // cells of the pattern, numbered row by row from the top
	Note          string  // text below the title
	High, Low     []Entry // fillings, with a row for High above a row for Low; at most three per row
}

// An Entry is a filling of the cells of a pattern.
type Entry struct {
	Symbols string // one byte per cell, as drawn by symbol
	Value   float64
	Note    string // text below the value
}

// mostEntries is the maximum number of fillings in a row.
const mostEntries = 3

func (t Pattern) draw(p *panel) error {
	if t.Rows < 1 || t.Columns < 1 || len(t.Cells) == 0 || slices.Min(t.Cells) < 0 || slices.Max(t.Cells) >= t.Rows*t.Columns {
		return fmt.Errorf("plot %q: want cells of the board", t.Title)
	}
	if len(t.High) > mostEntries || len(t.Low) > mostEntries {
		return fmt.Errorf("plot %q: want at most %d fillings per row", t.Title, mostEntries)
	}
	p.begin(t.Title, "")
	p.paragraph(edge, t.Note)
	p.y += 8
	top, bottom, left, right := t.Rows, 0, t.Columns, 0
	for _, c := range t.Cells {
		top, bottom = min(top, c/t.Columns), max(bottom, c/t.Columns)
		left, right = min(left, c%t.Columns), max(right, c%t.Columns)
	}
	// The board takes a quarter of the width. The fillings share the rest.
	const gap = 12.0
	const board = (panelWidth - 2*edge) / 4
	const each = (panelWidth - 2*edge - board - mostEntries*gap) / mostEntries
	cell := math.Min(16, board/float64(t.Columns))
	for i := range t.Rows * t.Columns {
		strength := 0.0
		if slices.Contains(t.Cells, i) {
			strength = 1
		}
		p.cell(edge+float64(i%t.Columns)*cell, p.y+float64(i/t.Columns)*cell, cell, cell, strength, "var(--soft)")
	}
	small := math.Min(16, each/float64(right-left+1))
	step := 2*lineStep + float64(bottom-top+1)*small + gap
	for row, list := range [2][]Entry{t.High, t.Low} {
		for k, e := range list {
			x, head := edge+board+gap+float64(k)*(each+gap), p.y+float64(row)*step+lineStep-4
			value := text.Short(e.Value)
			if e.Value > 0 {
				value = "+" + value
			}
			p.text(x, head, tickSize, "start", ink(row+1), value, bold...)
			p.text(x, head+lineStep, tickSize-1, "start", "var(--soft)", e.Note)
			for at, c := range t.Cells {
				cx, cy := x+float64(c%t.Columns-left)*small, head+lineStep+5+float64(c/t.Columns-top)*small
				p.cell(cx, cy, small, small, 0, "var(--soft)")
				if at < len(e.Symbols) {
					p.symbol(e.Symbols[at], cx, cy, small)
				}
			}
		}
	}
	p.y += math.Max(float64(t.Rows)*cell, 2*step-gap) + 12
	return nil
}

// symbol draws the content of a cell: discs for + and -, a line for _, nothing for . and 0, and
// otherwise the symbol itself.
func (p *panel) symbol(symbol byte, x, y, size float64) {
	half := size / 2
	switch symbol {
	case '.', '0':
	case '+':
		p.Circle(x+half, y+half, half-2.5, "var(--ink)", "stroke", "var(--ink)")
	case '-':
		p.Circle(x+half, y+half, half-2.5, "none", "stroke", "var(--ink)")
	case '_': // empty cell with a floor below it
		p.Line(x+3, y+size-3.5, x+size-3, y+size-3.5, 2, "var(--ink)")
	default:
		p.text(x+half, y+half+4, math.Min(11, size-3), "middle", "var(--ink)", string(symbol))
	}
}
