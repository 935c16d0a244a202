package othello

import (
	"encoding/binary"
	"fmt"
	"strings"

	"plyfit/game"
	"plyfit/game/grid"
)

var (
	files = strings.Split("abcdefgh", "")
	ranks = strings.Split("12345678", "")
)

var layout = grid.Layout{
	Width: 1, Left: "%3s", Right: "%s", Side: " ", Between: " ", Frame: grid.Figure{Ground: 22}, Again: true,
	Size: 60, Edge: 22, Round: 10, Back: "#20302a", Field: "#2f7a55", Lines: "#1f5239", LineWidth: 2, Names: "#e8efe9",
}

// Figures of the squares: the discs, a dot on each legal move, and the mark on the disc placed
// last. In a picture, the mark is drawn on top of the disc.
var (
	ground = grid.Figure{Text: " ", Ground: 22}
	discs  = [2]grid.Figure{
		{Text: "●", Ink: 16, Art: `<circle r="25" fill="#16181a" stroke="#4a5054" stroke-width="2"/>`},
		{Text: "○", Solid: "●", Ink: 231, Art: `<circle r="25" fill="#f4f2ea" stroke="#a9a697" stroke-width="2"/>`},
	}
	legal  = grid.Figure{Text: "·", Ink: 71, Art: `<circle r="6" fill="#16351f"/>`}
	newest = grid.Figure{Ground: 65, Mark: true, Art: `<circle r="6" fill="#e0563b"/>`}
)

// grid returns the board, with dark discs for X and light discs for O.
func (s *State) grid(colour bool) *grid.Board {
	x, o := s.Discs()
	at := s.analysed()
	g := layout.New(8, 8, "othello: "+s.String())
	g.ColumnNames, g.RowNames = files, ranks
	g.Notes = map[int]string{
		0: fmt.Sprintf("%s %2d", side(0, colour), popcount(x)),
		1: fmt.Sprintf("%s %2d", side(1, colour), popcount(o)),
	}
	switch at.stage {
	case over:
		g.Notes[3] = "over: " + outcome(final(x, o), colour)
	case passing:
		g.Notes[3] = side(s.mover(), colour) + " must pass"
	default:
		g.Notes[3] = side(s.mover(), colour) + " to move"
	}
	var set uint64 // the disc placed last, without the discs that it flipped
	if s.ply > 0 {
		before := &s.line[(s.ply-1)&127]
		set = (at.own | at.opp) &^ (before.own | before.opp)
	}
	for sq := range g.Cells {
		c, bit := &g.Cells[sq], uint64(1)<<sq
		c.Place = SquareName(sq)
		c.Add(ground)
		switch {
		case x&bit != 0:
			c.Add(discs[0])
		case o&bit != 0:
			c.Add(discs[1])
		case at.moves&bit != 0:
			c.Add(legal)
		}
		if set&bit != 0 {
			c.Add(newest)
		}
	}
	return g
}

func side(p game.Player, colour bool) string {
	return grid.Inline(colour, ground, discs[p]) + [2]string{" X", " O"}[p]
}

func outcome(u int, colour bool) string {
	switch {
	case u > 0:
		return fmt.Sprintf("%s wins by %v", side(0, colour), u)
	case u < 0:
		return fmt.Sprintf("%s wins by %v", side(1, colour), -u)
	}
	return "a draw"
}

// Draw implements [game.Drawer]. The drawing has ten lines.
func (s *State) Draw(colour bool) string { return s.grid(colour).Text(colour) }

// SVG implements [game.Illustrator]. The picture is the same for both players.
func (s *State) SVG(game.Player) string { return s.grid(false).SVG(false) }

// Clicks implements [game.Illustrator]. A move is made by clicking its square. There is no square
// to click for a pass.
func (s *State) Clicks(m game.Move) [][]string {
	if m == Pass {
		return nil
	}
	return [][]string{{SquareName(int(m))}}
}

func (s *State) Cells() game.Cells { return cells }

var cells = game.Cells{
	Rows: 8, Columns: 8, States: 3, Symbols: ".+-", Legend: "+ own disc, - opponent's disc, . empty square",
	Symmetries: game.Symmetries(8, 8),
}

// Fill implements [game.Celled], row by row from a1. 0 is an empty square, 1 is one of p's discs,
// and 2 is one of the opponent's.
func (s *State) Fill(p game.Player, dst []uint8) {
	own, other := s.Discs()
	if p > 0 {
		own, other = other, own
	}
	// Process eight squares at a time.
	for r := 0; r < 64; r += 8 {
		binary.LittleEndian.PutUint64(dst[r:], Spread(own>>r)|Spread(other>>r)<<1)
	}
}

// Spread moves bit i of the lowest byte to bit 8*i of a word. The product copies the byte to all
// bytes, the masks select one bit in each byte, and the sum carries that bit to the top of its
// byte.
func Spread(b uint64) uint64 {
	b = b & 0xff * 0x0101010101010101 & 0x8040201008040201
	return (b + 0x00406070787c7e7f) >> 7 & 0x0101010101010101
}
