package g2048

import (
	"fmt"

	"plyfit/game"
	"plyfit/game/grid"
)

var layout = grid.Layout{
	Width: 8, Side: "│", Between: "│", Top: "┌─┬┐", Rule: "├─┼┤", Bottom: "└─┴┘", Tiles: true,
	Size: 110, Edge: 5, Round: 12, Back: "#a3968a",
}

// tiles contains the tile for each exponent. newest is the frame around the tile that nature placed
// last.
var (
	tiles  = makeTiles()
	newest = grid.Figure{Mark: true, Art: `<rect x="-47" y="-47" width="94" height="94" rx="6" fill="none" stroke="#1d5fbf" stroke-width="4"/>`}
)

func makeTiles() (tiles [16]grid.Figure) {
	for e, style := range [16]struct {
		terminal  int
		fill, ink string
	}{{236, "#d8cfc4", ""}, {250, "#f1e8dc", "#4d443b"}, {223, "#eddcb8", "#4d443b"}, {216, "#f2b179", "#3a2410"},
		{209, "#f2975c", "#3a1d0a"}, {203, "#ee7650", "#2f1008"}, {196, "#cb4420", "#ffffff"}, {228, "#edcf72", "#3f3108"},
		{227, "#ecc44e", "#3f3108"}, {221, "#dfae2a", "#332704"}, {220, "#cf9a12", "#2a2003"}, {214, "#b98604", "#1e1702"},
		{114, "#5c9a68", "#0c1f12"}, {78, "#2f7a8c", "#ffffff"}, {75, "#2b5f9e", "#ffffff"}, {63, "#4b3f92", "#ffffff"}} {
		tiles[e] = grid.Figure{Ink: 16, Ground: style.terminal, Art: `<rect x="-50" y="-50" width="100" height="100" rx="8" fill="` + style.fill + `"/>`}
		if e > 0 {
			text := fmt.Sprint(1 << e)
			size := [6]float64{0, 50, 46, 38, 31, 26}[len(text)]
			tiles[e].Text = text
			tiles[e].Art += fmt.Sprintf(`<text y="%.4g" font-size="%g" fill="%s" text-anchor="middle" font-weight="700">%s</text>`, size*0.36, size, style.ink, text)
		}
	}
	return tiles
}

// grid returns the board. The place of a move is one of its four edges.
func (s *State) grid() *grid.Board {
	p := s.at()
	g := layout.New(s.size, s.size, "2048: "+s.String())
	largest := uint64(0)
	for i := range g.Cells {
		at := 4 * (4*(i/s.size) + i%s.size)
		e := p.board >> at & 15
		largest = max(largest, e)
		g.Cells[i].Add(tiles[e])
		if e > 0 && s.ply > 0 && s.line[s.ply-1].turn == game.Chance && s.line[s.ply-1].board>>at&15 != e {
			g.Cells[i].Add(newest)
		}
	}
	g.Below = fmt.Sprintf("score %d   largest %d   empty %d", p.score, 1<<largest&^1, s.Empty())
	if p.turn == game.Nobody {
		g.Below += "   no move left"
	}
	side := float64(s.size)
	edge := float64(side / 4)
	for _, at := range [4]struct {
		name string
		x, y float64
	}{{"left", 0, edge}, {"right", side - edge, edge}, {"up", edge, 0}, {"down", edge, side - edge}} {
		width, height := edge, side-float64(2*edge)
		if at.x == edge {
			width, height = height, width
		}
		g.Places = append(g.Places, grid.Place{Name: at.name, X: at.x, Y: at.y, Width: width, Height: height})
	}
	return g
}

// Draw implements [game.Drawer]: a grid of numbers, or coloured tiles.
func (s *State) Draw(colour bool) string { return s.grid().Text(colour) }

// SVG implements [game.Illustrator]. The picture does not depend on the player.
func (s *State) SVG(game.Player) string { return s.grid().SVG(false) }

// Clicks implements [game.Illustrator]. The place of a player's move is an edge of the board. New
// tiles have no place.
func (s *State) Clicks(m game.Move) [][]string {
	if s.Turn() == game.Chance {
		return nil
	}
	return [][]string{{[4]string{moveLeft: "left", moveRight: "right", moveUp: "up", moveDown: "down"}[m&3]}}
}

// Cells implements [game.Celled]. The states of a cell are the exponents that can occur on a board
// of this size.
func (s *State) Cells() game.Cells {
	return game.Cells{
		Rows: s.size, Columns: s.size, States: min(s.size*s.size+1, maxExponent) + 1,
		Legend:     "exponents of 2: 1 is the tile 2, a is the tile 1024, 0 is an empty cell",
		Symmetries: game.Symmetries(s.size, s.size),
	}
}

// Fill implements [game.Celled]. Tiles larger than the largest one that can be reached on a board
// of this size count as that tile.
func (s *State) Fill(_ game.Player, dst []uint8) {
	b, most := s.at().board, uint8(min(s.size*s.size+1, maxExponent))
	for r := range s.size {
		row := uint16(b >> (16 * r))
		for c := range s.size {
			dst[r*s.size+c] = min(uint8(row>>(4*c)&15), most)
		}
	}
}
