package tictactoe

import (
	"math/bits"
	"strconv"

	"plyfit/game"
	"plyfit/internal/svg"
)

var _ game.Illustrator = (*State)(nil)

// SVG implements [game.Illustrator]: the same from both sides.
func (s *State) SVG(game.Player) string {
	const cell = 100.0
	p := svg.New(3*cell, 3*cell, "tic-tac-toe: "+s.String())
	p.Rect(0, 0, 3*cell, 3*cell, 12, "#f4efe4")
	for i := 1; i < 3; i++ {
		at := float64(i) * cell
		p.Line(at, 8, at, 3*cell-8, 5, "#6b5d4a", "stroke-linecap", "round")
		p.Line(8, at, 3*cell-8, at, 5, "#6b5d4a", "stroke-linecap", "round")
	}
	for i := range 9 {
		x, y := float64(i%3)*cell, float64(i/3)*cell
		if s.ply > s.root && int(s.played[s.ply-1]) == i {
			p.Rect(x+6, y+6, cell-12, cell-12, 8, "#f6d860", "fill-opacity", "0.6")
		}
		switch {
		case s.sets[0]>>i&1 != 0:
			p.Path("M"+svg.Point(x+26, y+26)+"L"+svg.Point(x+74, y+74)+"M"+svg.Point(x+74, y+26)+"L"+svg.Point(x+26, y+74),
				"none", "stroke", "#b3361f", "stroke-width", "12", "stroke-linecap", "round")
		case s.sets[1]>>i&1 != 0:
			p.Circle(x+50, y+50, 26, "none", "stroke", "#1f5f9e", "stroke-width", "12")
		}
		p.Place(strconv.Itoa(i+1), x, y, cell, cell)
	}
	for _, line := range Lines {
		for _, set := range s.sets {
			if set&line == line {
				strike(p, line, cell)
			}
		}
	}
	return p.String()
}

// strike draws a line through the first and the last cell of a set.
func strike(p *svg.Picture, line uint16, cell float64) {
	first, last := bits.TrailingZeros16(line), bits.Len16(line)-1
	middle := func(i int) (x, y float64) { return (float64(i%3) + 0.5) * cell, (float64(i/3) + 0.5) * cell }
	x1, y1 := middle(first)
	x2, y2 := middle(last)
	p.Line(x1, y1, x2, y2, 8, "#2b2620", "stroke-linecap", "round", "stroke-opacity", "0.75")
}

// Clicks implements [game.Illustrator]: the cell.
func (s *State) Clicks(m game.Move) [][]string { return [][]string{{s.MoveString(m)}} }
