// Package grid draws boards made of cells, for terminals and as pictures.
//
// A game describes its board once in a [Layout], and its pieces as [Figure] values. For each
// position, it adds figures to the cells of a [Board], from the ground up to the piece.
// [Board.Text] formats the board for a terminal (game.Drawer), and [Board.SVG] draws it for a page
// (game.Illustrator). [Dropped] represents a board onto which pieces are dropped, in a match
// runner's notation.
package grid

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"plyfit/internal/text"
)

// A Figure is the content of a cell: a background, a mark, a number or a piece.
type Figure struct {
	Text   string // text on a terminal; if empty, the text of the layer below is visible
	Solid  string // text used if colours distinguish the sides; if empty, Text is used
	Ink    int    // text colour in xterm's 256-colour palette; if 0, the layer below decides
	Ground int    // background colour in the same palette; if 0, the layer below decides
	Mark   bool   // brackets around the cell if there is no colour
	Art    string // SVG elements, relative to the centre of the cell at 0 0
}

// Cell is one cell of a grid.
type Cell struct {
	Place  string   // name passed to click handlers; if empty, the cell is not clickable
	Layers []Figure // from bottom to top
}

// Add places figures on top of the existing layers.
func (c *Cell) Add(above ...Figure) { c.Layers = append(c.Layers, above...) }

// merged combines all layers into the figure shown on a terminal.
func (c *Cell) merged(colour bool) (all Figure) {
	for _, f := range c.Layers {
		text := f.Text
		if colour && f.Solid != "" {
			text = f.Solid
		}
		if text != "" {
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

// Inline returns a figure for use in [Board.Notes]. With colour, it includes the background.
func Inline(colour bool, layers ...Figure) string {
	f := (&Cell{Layers: layers}).merged(colour)
	if colour && f.Ground != 0 {
		f.Text = " " + f.Text + " "
	}
	return f.paint(colour, f.Text)
}

// A Layout describes an empty board. A horizontal line is given by four characters: the left end,
// the line, a crossing and the right end ("┌─┬┐"). The ends are drawn only if Side is not empty,
// and the crossings only if Between is not empty.
type Layout struct {
	Width             int    // width of a cell on a terminal; if 1, marks are drawn in the gaps between cells
	Left, Right       string // text before and after a row; a fmt verb is replaced by the name of the row
	Side, Between     string // separators at the ends of a row, and between two cells
	Top, Rule, Bottom string // lines above the first row, between rows, and below the last row; "" means none
	Frame             Figure // colours of Side, Between and the lines
	Again             bool   // whether to repeat the column names below the board
	Tiles             bool   // whether to draw cells in colour as tiles three lines high, without separators

	Size, Edge, Round float64 // dimensions in the picture: side of a cell, margin around the board, corner radius
	Back, Field       string  // background colours of the picture and the cells; if Field is "", Back is used
	Lines             string  // colour of the lines between cells; "" means no lines
	LineWidth         float64
	Names             string // colour of the row and column names; "" means no names
}

// A Place is a clickable part of a picture. Its position and size are measured in cells, from the
// upper left corner of the first cell.
type Place struct {
	Name                string
	X, Y, Width, Height float64
}

// A Board is a board with its pieces, ready for drawing.
type Board struct {
	*Layout
	Label         string // text for screen readers
	Rows, Columns int
	RowNames      []string       // from top to bottom; may be nil
	ColumnNames   []string       // from left to right; may be nil
	Cells         []Cell         // row by row, from the top
	Notes         map[int]string // text on the right of each row on a terminal
	Below         string         // text below the board, on a terminal
	Places        []Place        // clickable places in addition to the cells
}

// New returns a board of empty cells.
func (l *Layout) New(rows, columns int, label string) *Board {
	return &Board{Layout: l, Label: label, Rows: rows, Columns: columns, Cells: make([]Cell, rows*columns), Notes: map[int]string{}}
}

// Text returns the board as lines for a terminal, with or without colours.
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

// last returns the line below the board, or "" if there is none.
func (g *Board) last() string {
	if g.Below == "" {
		return ""
	}
	return g.Below + "\n"
}

// beside returns the text before or after row r.
func (g *Board) beside(format string, r int) string {
	if !strings.Contains(format, "%") {
		return format
	}
	return fmt.Sprintf(format, g.RowNames[r])
}

// head returns the line with the column names. Each name ends above the centre of its column.
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

// rule writes a horizontal line using the four characters in the string four. If the string is
// empty, it writes nothing.
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
	ended := false // whether the previous cell was marked
	for c := range g.Columns {
		f := g.Cells[r*g.Columns+c].merged(colour)
		gap, narrow := g.Between, g.Width == 1 && !colour
		if c == 0 {
			gap = g.Side
		}
		switch {
		case narrow && f.Mark:
			gap = "["
		case narrow && ended:
			gap = "]"
		}
		ended = narrow && f.Mark
		b.WriteString(g.Frame.paint(colour, gap) + f.paint(colour, g.fitted(f, colour)))
	}
	if ended {
		b.WriteString("]")
	} else {
		b.WriteString(g.Frame.paint(colour, g.Side))
	}
	b.WriteString(g.beside(g.Right, r))
	if note := g.Notes[r]; note != "" {
		b.WriteString("   " + note)
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

// fitted pads the text of f to the width of a cell. Without colour, a marked cell gets brackets. If
// there is no room for both brackets, a < follows the text instead.
func (g *Board) fitted(f Figure, colour bool) string {
	text, room := f.Text, g.Width-utf8.RuneCountInString(f.Text)
	marked := f.Mark && !colour && g.Width > 1
	if marked && room >= 2 {
		text, room, marked = "["+text+"]", room-2, false
	}
	left := (room + 1 - g.Width%2) / 2 // an extra space goes after the text, or before it if the cell width is even
	right := strings.Repeat(" ", room-left)
	if marked {
		right = right[1:] + "<"
	}
	return strings.Repeat(" ", left) + text + right
}

// tiles draws the cells as coloured tiles with gaps between them. The upper half of a tile's first
// line is part of the gap.
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
						text = "[" + text + "]"
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
