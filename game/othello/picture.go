package othello

import (
	"plyfit/game"
	"plyfit/internal/svg"
)

var _ game.Illustrator = (*State)(nil)

// SVG implements [game.Illustrator]: X's discs dark and O's light, a dot where the
// mover may play. The board is the same from both sides.
func (s *State) SVG(game.Player) string {
	const cell, edge = 60.0, 22.0
	p := svg.New(8*cell+2*edge, 8*cell+2*edge, "othello: "+s.String())
	p.Rect(0, 0, 8*cell+2*edge, 8*cell+2*edge, 10, "#20302a")
	p.Rect(edge, edge, 8*cell, 8*cell, 0, "#2f7a55")
	x, o := s.Discs()
	at := s.analysed()
	var last uint64
	if s.ply > 0 {
		before := &s.line[(s.ply-1)&127]
		last = (at.own | at.opp) &^ (before.own | before.opp)
	}
	for i := 0; i <= 8; i++ {
		d := edge + float64(i)*cell
		p.Line(d, edge, d, edge+8*cell, 2, "#1f5239")
		p.Line(edge, d, edge+8*cell, d, 2, "#1f5239")
	}
	for i := range 8 {
		d := edge + (float64(i)+0.5)*cell
		p.Text(d, 16, 13, "#e8efe9", "abcdefgh"[i:i+1])
		p.Text(11, d+5, 13, "#e8efe9", "12345678"[i:i+1])
	}
	for sq := range 64 {
		bit := uint64(1) << sq
		cx, cy := edge+(float64(sq%8)+0.5)*cell, edge+(float64(sq/8)+0.5)*cell
		switch {
		case x&bit != 0:
			p.Circle(cx, cy, 25, "#16181a", "stroke", "#4a5054", "stroke-width", "2")
		case o&bit != 0:
			p.Circle(cx, cy, 25, "#f4f2ea", "stroke", "#a9a697", "stroke-width", "2")
		case at.moves&bit != 0:
			p.Circle(cx, cy, 6, "#16351f")
		}
		if last&bit != 0 {
			p.Circle(cx, cy, 6, "#e0563b")
		}
		p.Place(SquareName(sq), cx-cell/2, cy-cell/2, cell, cell)
	}
	return p.String()
}

// Clicks implements [game.Illustrator]: the square; a pass has none.
func (s *State) Clicks(m game.Move) [][]string {
	if m == Pass {
		return nil
	}
	return [][]string{{SquareName(int(m))}}
}
