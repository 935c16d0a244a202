package minesweeper

import (
	"fmt"

	"plyfit/game"
	"plyfit/internal/svg"
)

var _ game.Illustrator = (*State)(nil)

// numbers are the colours of the numbers, dark enough to be read.
var numbers = [9]string{"", "#1d4ed8", "#15703a", "#c02626", "#4c1d95", "#7f1d1d", "#0e6470", "#111827", "#4b5563"}

// SVG implements [game.Illustrator]: hidden cells raised, the one being opened with
// a question mark, the last one opened in a frame.
func (s *State) SVG(game.Player) string {
	const cell = 40.0
	width, height := float64(s.columns)*cell, float64(s.rows)*cell
	p := svg.New(width+8, height+8, "minesweeper: "+s.String())
	p.Rect(0, 0, width+8, height+8, 6, "#5b6472")
	last := -1
	if n := len(s.line); n > 0 && s.line[n-1].shows != Hidden {
		last = int(s.line[n-1].cell)
	}
	for i, shows := range s.shown {
		x, y := 4+float64(i%s.columns)*cell, 4+float64(i/s.columns)*cell
		cx, cy := x+cell/2, y+cell/2
		switch {
		case shows == Mine:
			p.Rect(x+1, y+1, cell-2, cell-2, 3, "#e35d52")
			p.Circle(cx, cy, 9, "#1a1a1a")
			p.Path("M"+svg.Point(cx-13, cy)+"h26M"+svg.Point(cx, cy-13)+"v26", "none", "stroke", "#1a1a1a", "stroke-width", "3")
		case shows == Hidden:
			p.Rect(x+1, y+1, cell-2, cell-2, 3, "#9fb0c6")
			p.Path("M"+svg.Point(x+2, y+cell-3)+"v-35h35", "none", "stroke", "#d4deea", "stroke-width", "3")
			if int(s.pending) == i {
				p.Text(cx, cy+9, 24, "#3b2500", "?", "font-weight", "700")
			}
		default:
			p.Rect(x+1, y+1, cell-2, cell-2, 1, "#e9edf2")
			if shows > 0 {
				p.Text(cx, cy+9, 25, numbers[shows], fmt.Sprint(shows), "font-weight", "700")
			}
		}
		if i == last {
			p.Rect(x+2, y+2, cell-4, cell-4, 3, "none", "stroke", "#b45309", "stroke-width", "3")
		}
		p.Place(s.cellName(i), x, y, cell, cell)
	}
	return p.String()
}

// cellName is how a move names a cell.
func (s *State) cellName(i int) string { return fmt.Sprintf("r%dc%d", i/s.columns+1, i%s.columns+1) }

// Clicks implements [game.Illustrator]: the cell; what nature shows has none.
func (s *State) Clicks(m game.Move) [][]string {
	if s.Turn() == game.Chance {
		return nil
	}
	return [][]string{{s.MoveString(m)}}
}
