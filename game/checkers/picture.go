package checkers

import (
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/internal/svg"
)

var _ game.Illustrator = (*State)(nil)

// SVG implements [game.Illustrator]: as players number the board, black above.
// Seen from black's side it is turned round.
func (s *State) SVG(below game.Player) string {
	const cell = 60.0
	at := s.analysed()
	p := svg.New(8*cell, 8*cell, "checkers: "+s.String())
	p.Rect(0, 0, 8*cell, 8*cell, 0, "#ead9b5")
	var marked uint64 // where the last move began and ended
	if s.ply > 0 {
		marked = s.line[s.ply-1].men[1-s.side()] ^ at.men[1-s.side()]
	}
	for n := 1; n <= 32; n++ {
		row := (n - 1) / 4
		column := 2*((n-1)%4) + 1 - row%2
		if below == 0 {
			row, column = 7-row, 7-column
		}
		x, y := float64(column)*cell, float64(row)*cell
		bit := uint64(1) << bitOf[n]
		p.Rect(x, y, cell, cell, 0, "#56744a")
		ink := "#ffffff"
		if marked&bit != 0 {
			p.Rect(x, y, cell, cell, 0, "#d9b23a", "fill-opacity", "0.6")
			ink = "#14200f"
		}
		p.Text(x+4, y+13, 12, ink, strconv.Itoa(n), "text-anchor", "start")
		switch {
		case at.men[0]&bit != 0:
			man(p, x+cell/2, y+cell/2, "#25211f", "#8d857e", at.kings&bit != 0)
		case at.men[1]&bit != 0:
			man(p, x+cell/2, y+cell/2, "#f7f2e6", "#8a7f6b", at.kings&bit != 0)
		}
		p.Place(strconv.Itoa(n), x, y, cell, cell)
	}
	return p.String()
}

// man is a piece, crowned where it is a king.
func man(p *svg.Picture, x, y float64, body, rim string, king bool) {
	p.Circle(x, y, 24, body, "stroke", rim, "stroke-width", "2.5")
	if !king {
		p.Circle(x, y, 16, "none", "stroke", rim, "stroke-width", "2")
		return
	}
	p.Begin(x-12, y-10, 1)
	p.Path("M0 18L-2 3l7 6 7-9 7 9 7-6-2 15z", "#e0a92a", "stroke", "#5c4208", "stroke-width", "1.5", "stroke-linejoin", "round")
	p.End()
}

// Clicks implements [game.Illustrator]: every square of the way.
func (s *State) Clicks(m game.Move) [][]string {
	return [][]string{strings.FieldsFunc(s.MoveString(m), func(r rune) bool { return r == '-' || r == 'x' })}
}
