package connect4

import (
	"fmt"
	"strconv"

	"plyfit/game"
	"plyfit/internal/svg"
)

var (
	_ game.Illustrator = (*State)(nil)
	_ game.Illustrator = (*Dice)(nil)
)

// SVG implements [game.Illustrator]: the same from both sides.
func (s *State) SVG(game.Player) string { return s.picture(-1, "") }

// SVG implements [game.Illustrator]: the board, and the column that the die forbids.
func (d *Dice) SVG(game.Player) string {
	if c, ok := d.Forbidden(); ok {
		return d.picture(c, fmt.Sprintf(", not into column %c", columnNames[c]))
	}
	return d.picture(-1, "")
}

// Clicks implements [game.Illustrator]: the column.
func (s *State) Clicks(m game.Move) [][]string { return [][]string{{strconv.Itoa(int(m) + 1)}} }

// Clicks implements [game.Illustrator]: the column; the die has no place.
func (d *Dice) Clicks(m game.Move) [][]string {
	if d.Turn() < 0 {
		return nil
	}
	return d.State.Clicks(m)
}

// stonePaints are the colours of the players' stones and of their rims.
var stonePaints = [2][2]string{{"#e2483d", "#8f2018"}, {"#f5c531", "#96700a"}}

// picture is the board with a forbidden column (-1: none) and what its label adds.
func (s *State) picture(forbidden int, note string) string {
	const cell = 64.0
	width, height := float64(s.columns)*cell, float64(s.rows)*cell
	p := svg.New(width+16, height+40, "connect four: "+s.String()+note)
	p.Rect(0, 0, width+16, height+40, 14, "#1d4f91")
	first, second := s.Stones()
	last, line := uint64(0), uint64(0)
	if s.ply > s.root {
		last = s.line[(s.ply-1)&63].all ^ s.at().all
	}
	if s.at().end == lost {
		line = s.fourInLine(first) | s.fourInLine(second)
	}
	for c := range s.columns {
		x := 8 + (float64(c)+0.5)*cell
		p.Text(x, 20, 15, "#ffffff", columnNames[c:c+1])
		for r := range s.rows {
			bit := uint64(1) << (c*int(s.height) + r)
			y := 32 + height - (float64(r)+0.5)*cell
			switch {
			case first&bit != 0:
				stone(p, x, y, 0, last&bit != 0, line&bit != 0)
			case second&bit != 0:
				stone(p, x, y, 1, last&bit != 0, line&bit != 0)
			default:
				p.Circle(x, y, 26, "#123763")
			}
		}
		if c == forbidden {
			p.Rect(x-cell/2, 26, cell, height+8, 6, "#0b1c33", "fill-opacity", "0.6")
			p.Text(x, 20, 15, "#ffd4d0", "✕")
		}
		p.Place(strconv.Itoa(c+1), x-cell/2, 0, cell, height+40)
	}
	return p.String()
}

// stone is one player's stone; the last one and those of four in line are marked.
func stone(p *svg.Picture, x, y float64, player int, last, four bool) {
	p.Circle(x, y, 26, stonePaints[player][0])
	p.Circle(x, y, 18, "none", "stroke", stonePaints[player][1], "stroke-width", "2", "stroke-opacity", "0.55")
	switch {
	case four:
		p.Circle(x, y, 26, "none", "stroke", "#ffffff", "stroke-width", "5")
	case last:
		p.Circle(x, y, 6, "#ffffff")
	}
	if player == 1 { // told apart without colour, too
		p.Circle(x, y, 11, "none", "stroke", stonePaints[1][1], "stroke-width", "3")
	}
}
