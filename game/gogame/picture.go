package gogame

import (
	"strconv"

	"plyfit/game"
	"plyfit/internal/svg"
)

var _ game.Illustrator = (*State)(nil)

// SVG implements [game.Illustrator]: stones on lines, the last one marked. The board
// is the same from both sides.
func (s *State) SVG(game.Player) string {
	const cell, edge = 40.0, 44.0
	width := float64(s.size-1)*cell + 2*edge
	p := svg.New(width, width, "go: "+s.String())
	p.Rect(0, 0, width, width, 8, "#dcb36b")
	at := func(i int) float64 { return edge + float64(i)*cell }
	for i := range s.size {
		p.Line(at(0), at(i), at(s.size-1), at(i), 1.2, "#5b4420")
		p.Line(at(i), at(0), at(i), at(s.size-1), 1.2, "#5b4420")
		p.Text(at(i), 17, 13, "#4a3618", columns[i:i+1])
		p.Text(13, at(i)+5, 13, "#4a3618", strconv.Itoa(s.size-i))
	}
	last, _ := s.Last()
	for row := range s.size {
		for column := range s.size {
			point := s.point(row, column)
			x, y := at(column), at(s.size-1-row)
			marks := "#ffffff"
			switch s.colour[point] {
			case black:
				p.Circle(x, y, 18.5, "#17181a", "stroke", "#000000", "stroke-width", "1")
			case white:
				p.Circle(x, y, 18.5, "#f6f4ee", "stroke", "#8f8a7c", "stroke-width", "1")
				marks = "#17181a"
			default:
				if s.marked(row, column) {
					p.Circle(x, y, 3.5, "#5b4420")
				}
			}
			if last != Pass && point == int(last) && s.colour[point] != empty {
				p.Circle(x, y, 8, "none", "stroke", marks, "stroke-width", "2.5")
			}
			p.Place(s.MoveString(game.Move(point)), x-cell/2, y-cell/2, cell, cell)
		}
	}
	return p.String()
}

// Clicks implements [game.Illustrator]: the point; a pass has none.
func (s *State) Clicks(m game.Move) [][]string {
	if m == Pass {
		return nil
	}
	return [][]string{{s.MoveString(m)}}
}
