package g2048

import (
	"fmt"

	"plyfit/game"
	"plyfit/internal/svg"
)

var _ game.Illustrator = (*State)(nil)

// grounds are the tiles' colours by exponent, and inks those of their numbers.
var (
	grounds = [16]string{"#d8cfc4", "#f1e8dc", "#eddcb8", "#f2b179", "#f2975c", "#ee7650", "#cb4420", "#edcf72", "#ecc44e", "#dfae2a", "#cf9a12",
		"#b98604", "#5c9a68", "#2f7a8c", "#2b5f9e", "#4b3f92"}
	inks = [16]string{"", "#4d443b", "#4d443b", "#3a2410", "#3a1d0a", "#2f1008", "#ffffff", "#3f3108", "#3f3108", "#332704", "#2a2003",
		"#1e1702", "#0c1f12", "#ffffff", "#ffffff", "#ffffff"}
)

// SVG implements [game.Illustrator]: tiles with their numbers, the one that nature
// set last in a frame. The four edges are the places of the moves.
func (s *State) SVG(game.Player) string {
	const cell, gap = 100.0, 10.0
	side := float64(s.size)*(cell+gap) + gap
	at := s.at()
	p := svg.New(side, side, "2048: "+s.String())
	p.Rect(0, 0, side, side, 12, "#a3968a")
	for r := range s.size {
		for c := range s.size {
			shift := 4 * (4*r + c)
			e := at.board >> shift & 15
			x, y := gap+float64(c)*(cell+gap), gap+float64(r)*(cell+gap)
			p.Rect(x, y, cell, cell, 8, grounds[e])
			if e == 0 {
				continue
			}
			text := fmt.Sprint(1 << e)
			size := [6]float64{0, 50, 46, 38, 31, 26}[len(text)]
			p.Text(x+cell/2, y+cell/2+size*0.36, size, inks[e], text, "font-weight", "700")
			if s.ply > 0 && s.line[s.ply-1].turn == game.Chance && s.line[s.ply-1].board>>shift&15 != e {
				p.Rect(x+3, y+3, cell-6, cell-6, 6, "none", "stroke", "#1d5fbf", "stroke-width", "4")
			}
		}
	}
	edges(p, side)
	return p.String()
}

// edges lays the places of the four directions along the edges.
func edges(p *svg.Picture, side float64) {
	edge := side / 4
	p.Place("left", 0, edge, edge, side-2*edge)
	p.Place("right", side-edge, edge, edge, side-2*edge)
	p.Place("up", edge, 0, side-2*edge, edge)
	p.Place("down", edge, side-edge, side-2*edge, edge)
}

// Clicks implements [game.Illustrator]: an edge of the board; tiles have none.
func (s *State) Clicks(m game.Move) [][]string {
	if s.Turn() == game.Chance {
		return nil
	}
	return [][]string{{[4]string{Left: "left", Right: "right", Up: "up", Down: "down"}[m&3]}}
}
