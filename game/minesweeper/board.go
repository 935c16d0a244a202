package minesweeper

import (
	"fmt"
	"strings"

	"plyfit/internal/ink"
)

// digits are the colours in which numbers are known to everybody.
var digits = [9]ink.Style{ink.Fg(240), ink.Fg(39), ink.Fg(35), ink.Fg(203), ink.Fg(63), ink.Fg(131), ink.Fg(37), ink.Fg(252), ink.Fg(245)}

// Draw implements [game.Drawer]: numbers, # for a hidden cell, ? for the one
// being opened, * for the mine that was stepped on, the cell that was opened last
// in brackets or on a ground of its own.
func (s *State) Draw(colour bool) string {
	last := -1
	if n := len(s.line); n > 0 && s.line[n-1].shows != Hidden {
		last = int(s.line[n-1].cell)
	}
	var out strings.Builder
	out.WriteString("     ")
	for column := range s.columns {
		fmt.Fprintf(&out, "%2d", (column+1)%100)
	}
	for row := range s.rows {
		fmt.Fprintf(&out, "\n %3d ", row+1)
		for column := range s.columns {
			cell := row*s.columns + column
			text, style := "#", ink.Fg(244)
			switch shows := s.shown[cell]; {
			case shows == Mine:
				text, style = "*", ink.Fg(196)
			case int(s.pending) == cell:
				text, style = "?", ink.Fg(226)
			case shows >= 0:
				text, style = fmt.Sprint(shows), digits[shows]
				if shows == 0 {
					text = "."
				}
			case colour:
				text = "■"
			}
			gap := " "
			switch {
			case colour:
			case last == cell:
				gap = "["
			case column > 0 && last == cell-1:
				gap = "]"
			}
			out.WriteString(gap)
			if last == cell {
				out.WriteString(ink.Paint(colour, text, style, ink.Bold, ink.Bg(239)))
			} else {
				out.WriteString(ink.Paint(colour, text, style, ink.Bold))
			}
		}
		if !colour && last == (row+1)*s.columns-1 {
			out.WriteString("]")
		}
	}
	end := ""
	switch {
	case s.lost:
		end = "   lost"
	case s.Left() == 0:
		end = "   won"
	}
	fmt.Fprintf(&out, "\n%d mines, %d cells to open%s\n", s.mines, s.Left(), end)
	return out.String()
}
