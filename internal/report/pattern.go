package report

import (
	"fmt"
	"math"
	"slices"

	"plyfit/internal/svg"
)

// Pattern is a panel of cells on a board, and of fillings of them with a number each.
type Pattern struct {
	Title         string
	Rows, Columns int     // of the board
	Cells         []int   // of the pattern, numbered row by row from the top
	Note          string  // below the title
	High, Low     []Entry // in two rows, High above Low; at most three each
}

// Entry is a filling of a pattern's cells.
type Entry struct {
	Symbols string // a byte for each of Cells: . or 0 for an empty cell, + and - for one's own piece and the other's
	Value   float64
	Note    string // behind the value
}

// mostEntries is how many fillings stand in a row.
const mostEntries = 3

func (t Pattern) plot() (drawing, error) {
	if t.Rows < 1 || t.Columns < 1 || len(t.Cells) == 0 || slices.Min(t.Cells) < 0 || slices.Max(t.Cells) >= t.Rows*t.Columns {
		return drawing{}, fmt.Errorf("plot %q: want cells of the board", t.Title)
	}
	if len(t.High) > mostEntries || len(t.Low) > mostEntries {
		return drawing{}, fmt.Errorf("plot %q: want at most %d fillings a row", t.Title, mostEntries)
	}
	const width = defaultWidth
	var p canvas
	y := p.title(t.Title, width)
	for _, l := range wrap(t.Note, tickSize, width-20) {
		y += lineStep
		p.text(10, y-3, tickSize, "start", "var(--soft)", false, l)
	}
	y += 8
	top, bottom, left, right := t.Rows, 0, t.Columns, 0
	for _, c := range t.Cells {
		top, bottom = min(top, c/t.Columns), max(bottom, c/t.Columns)
		left, right = min(left, c%t.Columns), max(right, c%t.Columns)
	}
	// The board takes a quarter of the width, the fillings share the rest.
	const gap = 12.0
	board := (width - 20) / 4
	cell := math.Min(16, board/float64(t.Columns))
	for i := range t.Rows * t.Columns {
		fill, opacity := "none", 0.0
		if slices.Contains(t.Cells, i) {
			fill, opacity = ink(1), strongest
		}
		p.cell(10+float64(i%t.Columns)*cell, y+float64(i/t.Columns)*cell, cell, fill, opacity)
	}
	each := (width - 20 - board - mostEntries*gap) / mostEntries
	small := math.Min(16, each/float64(right-left+1))
	step := 2*lineStep + float64(bottom-top+1)*small + gap
	for row, list := range [2][]Entry{t.High, t.Low} {
		for k, e := range list {
			x, head := 10+board+gap+float64(k)*(each+gap), y+float64(row)*step+lineStep-4
			p.text(x, head, tickSize, "start", ink(row+1), true, signed(e.Value))
			p.text(x, head+lineStep, tickSize-1, "start", "var(--soft)", false, e.Note)
			for at, c := range t.Cells {
				cx, cy := x+float64(c%t.Columns-left)*small, head+lineStep+5+float64(c/t.Columns-top)*small
				p.cell(cx, cy, small, "none", 0)
				if at < len(e.Symbols) {
					p.symbol(e.Symbols[at], cx, cy, small)
				}
			}
		}
	}
	return drawing{t.Title, width, y + math.Max(float64(t.Rows)*cell, 2*step-gap) + 12, p.Elements()}, nil
}

// signed is a number in two digits with its sign.
func signed(x float64) string {
	if x > 0 {
		return "+" + short(x)
	}
	return short(x)
}

func (p *canvas) cell(x, y, size float64, fill string, opacity float64) {
	p.Rect(x, y, size, size, 0, fill, "fill-opacity", svg.Number(opacity), "stroke", "var(--soft)")
}

// symbol writes what a cell holds: discs for + and -, nothing for . and 0, else the symbol itself.
func (p *canvas) symbol(symbol byte, x, y, size float64) {
	half := size / 2
	circle := func(fill string) {
		p.Circle(x+half, y+half, half-2.5, fill, "stroke", "var(--ink)")
	}
	switch symbol {
	case '.', '0':
	case '+':
		circle("var(--ink)")
	case '-':
		circle("none")
	case '_': // an empty cell with a floor below it
		p.line(x+3, y+size-3.5, x+size-3, y+size-3.5, "var(--ink)", 2, "")
	default:
		p.text(x+half, y+half+4, math.Min(11, size-3), "middle", "var(--ink)", false, string(symbol))
	}
}
