// Package grid draws boards that are grids of cells, for terminals and as pictures.
//
// The journey: a game describes its board once in a [Layout], and its pieces in [Figure] values.
// For a position it puts figures into the cells of a [Board], from the ground to the piece.
// [Board.Text] writes the grid for a terminal (game.Drawer), [Board.SVG] draws it for a page
// (game.Illustrator). [Dropped] is such a board for a match runner.
package grid

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"plyfit/internal/text"
)

// Figure is what may lie in a cell: a ground, a mark, a number or a piece.
type Figure struct {
	Text   string // on a terminal; "": what lies below shows
	Solid  string // the same where colour tells the sides apart; "": Text
	Ink    int    // of Text, from xterm's palette of 256; 0: as below
	Ground int    // behind Text, likewise
	Mark   bool   // without colour the cell stands in brackets
	Art    string // SVG elements around the middle of the cell, at 0 0
}

// Cell is one cell of a grid.
type Cell struct {
	Place  string   // what a click on it is called; "": nothing to click
	Layers []Figure // from below to above
}

// Add lays figures on what is there.
func (c *Cell) Add(above ...Figure) { c.Layers = append(c.Layers, above...) }

// merged is what a terminal shows of all layers together.
func (c *Cell) merged(colour bool) (all Figure) {
	for _, f := range c.Layers {
		if text := f.written(colour); text != "" {
			all.Text = text
		}
		if f.Ink != 0 {
			all.Ink = f.Ink
		}
		if f.Ground != 0 {
			all.Ground = f.Ground
		}
		all.Mark = all.Mark || f.Mark
	}
	return all
}

func (f Figure) written(colour bool) string {
	if colour && f.Solid != "" {
		return f.Solid
	}
	return f.Text
}

func (f Figure) paint(colour bool, s string) string {
	if f.Ink == 0 && f.Ground == 0 {
		return s
	}
	styles := []text.Style{text.Bold}
	if f.Ink != 0 {
		styles = append(styles, text.Fg(f.Ink))
	}
	if f.Ground != 0 {
		styles = append(styles, text.Bg(f.Ground))
	}
	return text.Paint(colour, s, styles...)
}

// Inline is a figure as it stands within a [Board.Notes], on its ground where there is colour.
func Inline(colour bool, layers ...Figure) string {
	f := (&Cell{Layers: layers}).merged(colour)
	if colour && f.Ground != 0 {
		f.Text = " " + f.Text + " "
	}
	return f.paint(colour, f.Text)
}

// Layout describes an empty board. Text has runs of lines as four letters: the left end, the line,
// a crossing, the right end ("┌─┬┐"); there are ends if there are sides, and crossings if there is
// something between columns.
type Layout struct {
	Width             int    // of a cell on a terminal; 1: marks stand in the gaps between cells
	Left, Right       string // before and behind a row; a verb of fmt is replaced by its name
	Side, Between     string // what stands at the ends of a row, and between two cells
	Top, Rule, Bottom string // lines above the first row, between two, and below the last; "": none
	Brackets          string // around a marked cell; "": []
	Frame             Figure // the colours of Side, Between and the lines
	Again             bool   // the names of the columns stand below the board, too
	Tiles             bool   // with colour, cells are tiles three lines high, without lines

	Size, Edge, Round float64 // of a picture: a cell's side, the room around all cells, the radius of its corners
	Back, Field       string  // grounds of all, and of the cells alone ("": as all)
	Lines             string  // the colour of lines between cells; "": none
	LineWidth         float64
	Through           bool   // lines run through the middles of the cells
	Names             string // the colour of the names of rows and columns; "": none are written
}

// Place is a part of a picture, measured in cells from the upper left corner of the
// first, that can be clicked.
type Place struct {
	Name                string
	X, Y, Width, Height float64
}

// Board is a board with what stands on it, for one painting.
type Board struct {
	*Layout
	Label         string         // what is read aloud in place of the picture
	Rows, Columns int            //
	RowNames      []string       // from above; nil: none
	ColumnNames   []string       // from the left; nil: none
	Cells         []Cell         // row by row from above
	Notes         map[int]string // beside rows, on a terminal
	Below         string         // below the board, on a terminal
	Places        []Place        // besides those of the cells
}

// New is a grid of empty cells.
func (l *Layout) New(rows, columns int, label string) *Board {
	return &Board{Layout: l, Label: label, Rows: rows, Columns: columns, Cells: make([]Cell, rows*columns), Notes: map[int]string{}}
}

// Text is the board in lines for a terminal, with colours or without.
func (g *Board) Text(colour bool) string {
	if colour && g.Tiles {
		return g.tiles() + g.last()
	}
	var b strings.Builder
	head := g.head()
	b.WriteString(head)
	g.rule(&b, g.Top, colour)
	for r := range g.Rows {
		if r > 0 {
			g.rule(&b, g.Rule, colour)
		}
		b.WriteString(g.row(r, colour))
	}
	g.rule(&b, g.Bottom, colour)
	if g.Again {
		b.WriteString(head)
	}
	return b.String() + g.last()
}

// last is the line below the board, if there is one.
func (g *Board) last() string {
	if g.Below == "" {
		return ""
	}
	return g.Below + "\n"
}

// beside is what stands before or behind row r.
func (g *Board) beside(format string, r int) string {
	if !strings.Contains(format, "%") {
		return format
	}
	return fmt.Sprintf(format, g.RowNames[r])
}

// head is the line of the columns' names, each ending over the middle of its cells.
func (g *Board) head() string {
	if g.ColumnNames == nil {
		return ""
	}
	var b strings.Builder
	middle := utf8.RuneCountInString(g.beside(g.Left, 0)+g.Side) + g.Width/2
	written := 0
	for _, name := range g.ColumnNames {
		fmt.Fprintf(&b, "%*s", middle+1-written, name)
		written = middle + 1
		middle += g.Width + utf8.RuneCountInString(g.Between)
	}
	return b.String() + "\n"
}

// rule writes a line across the board.
func (g *Board) rule(b *strings.Builder, four string, colour bool) {
	if four == "" {
		return
	}
	part := []rune(four)
	cell, between := strings.Repeat(string(part[1]), g.Width), ""
	if g.Between != "" {
		between = string(part[2])
	}
	line := strings.Repeat(cell+between, g.Columns-1) + cell
	if g.Side != "" {
		line = string(part[0]) + line + string(part[3])
	}
	before := strings.Repeat(" ", utf8.RuneCountInString(g.beside(g.Left, 0)))
	b.WriteString(before + g.Frame.paint(colour, line) + "\n")
}

func (g *Board) row(r int, colour bool) string {
	var b strings.Builder
	b.WriteString(g.beside(g.Left, r))
	ended := false // the cell before was marked
	for c := range g.Columns {
		f := g.Cells[r*g.Columns+c].merged(colour)
		gap, narrow := g.Between, g.Width == 1 && !colour
		if c == 0 {
			gap = g.Side
		}
		switch {
		case narrow && f.Mark:
			gap = g.bracket(0)
		case narrow && ended:
			gap = g.bracket(1)
		}
		ended = narrow && f.Mark
		b.WriteString(g.Frame.paint(colour, gap) + f.paint(colour, g.fitted(f, colour)))
	}
	if ended {
		b.WriteString(g.bracket(1))
	} else {
		b.WriteString(g.Frame.paint(colour, g.Side))
	}
	b.WriteString(g.beside(g.Right, r))
	if note := g.Notes[r]; note != "" {
		b.WriteString("   " + note)
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

// bracket is the opening (0) or the closing one (1).
func (g *Board) bracket(i int) string {
	if g.Brackets == "" {
		return "[]"[i : i+1]
	}
	return g.Brackets[i : i+1]
}

// fitted is the figure's text in the width of a cell, in brackets where it is marked
// and colour does not say so; text that leaves no room for two has a sign behind it.
func (g *Board) fitted(f Figure, colour bool) string {
	text, room := f.Text, g.Width-utf8.RuneCountInString(f.Text)
	marked := f.Mark && !colour && g.Width > 1
	if marked && room >= 2 {
		text, room, marked = g.bracket(0)+text+g.bracket(1), room-2, false
	}
	left := (room + 1 - g.Width%2) / 2 // the odd blank: behind the text, in cells of an even width before it
	right := strings.Repeat(" ", room-left)
	if marked {
		right = right[1:] + "<"
	}
	return strings.Repeat(" ", left) + text + right
}

// tiles are the cells as coloured tiles with gaps between them: the upper half of a
// tile's first line belongs to the gap.
func (g *Board) tiles() string {
	var b strings.Builder
	for r := range g.Rows {
		for line := range 3 {
			for c := range g.Columns {
				f := g.Cells[r*g.Columns+c].merged(true)
				switch line {
				case 0:
					b.WriteString(Figure{Ink: f.Ground}.paint(true, strings.Repeat("▄", g.Width-1)))
				case 1:
					text := f.Text
					if f.Mark {
						text = g.bracket(0) + text + g.bracket(1)
					}
					b.WriteString(f.paint(true, g.fitted(Figure{Text: text}, true)[1:]))
				case 2:
					b.WriteString(f.paint(true, strings.Repeat(" ", g.Width-1)))
				}
				b.WriteByte(' ')
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
